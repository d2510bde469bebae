# What a schema cannot say, so that valid requests stay valid: docs in CONTRIBUTING.md.
import schemathesis

cursors = set()


@schemathesis.hook
def before_call(context, case, kwargs):
    query = case.query
    if not isinstance(query, dict) or not case.meta.generation.mode.is_positive:
        return
    # The end of a range is not before its start, and not too far behind it; nor is a maximum below its minimum.
    for unit in ("date", "month"):
        if f"start_{unit}" in query and f"end_{unit}" in query:
            query[f"end_{unit}"] = query[f"start_{unit}"]
    # Nor is an amount above 2^51 hundredths, which a pattern cannot say.
    for bound in ("min_amount", "max_amount"):
        if bound in query and len(query[bound].lstrip("-")) > len("9999999999999.99"):
            query[bound] = "1.00"
    if "min_amount" in query and "max_amount" in query:
        query["max_amount"] = query["min_amount"]
    # A cursor is one that an answer about this budget gave.
    if "cursor" in query and (query.get("budget_id"), query["cursor"]) not in cursors:
        del query["cursor"]


@schemathesis.hook
def after_call(context, case, response):
    if case.path == "/changes" and response.status_code == 200:
        cursors.add((case.query.get("budget_id"), response.json()["cursor"]))
