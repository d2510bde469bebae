// Generated from schemas/ by npm run generate; do not edit.

export const QUERY_SCHEMAS = {
  "accounts": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "AccountsQuery",
    "description": "Parameters of GET /accounts.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "name": {
        "description": "Only accounts of this name, in any case and any normal form; the whole name, 1 to 200 code points. Several may have it.",
        "$ref": "../../events/definitions.json#/$defs/name",
        "example": "Joint account"
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "additionalProperties": false,
    "required": [
      "budget_id"
    ]
  },
  "balances": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "BalancesQuery",
    "description": "Parameters of GET /balances. start_date must not be after end_date.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "start_date": {
        "description": "The first point is on this date or after it.",
        "$ref": "../../events/definitions.json#/$defs/date",
        "example": "2026-01-01"
      },
      "end_date": {
        "description": "The last point is on this date.",
        "$ref": "../../events/definitions.json#/$defs/date",
        "example": "2026-03-31"
      },
      "interval": {
        "description": "day: a point for each day; week: for each Sunday; month: for the last day of each month. At most 1000 points in all.",
        "type": "string",
        "enum": [
          "day",
          "week",
          "month"
        ],
        "default": "day",
        "example": "month"
      },
      "account_id": {
        "description": "Balances of this account instead of the sums of all accounts.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "account-joint"
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "required": [
      "budget_id",
      "start_date",
      "end_date"
    ],
    "additionalProperties": false
  },
  "budgets": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "BudgetsQuery",
    "description": "Parameters of GET /budgets: none.",
    "type": "object",
    "properties": {},
    "additionalProperties": false
  },
  "categories": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "CategoriesQuery",
    "description": "Parameters of GET /categories. limit counts groups; a group is never cut.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "include_hidden": {
        "description": "List hidden groups and hidden categories too.",
        "type": "boolean",
        "default": false
      },
      "name": {
        "description": "Only categories of this name, in any case and any normal form; the whole name, 1 to 200 code points. A group comes with its matching categories; one without any is left out.",
        "$ref": "../../events/definitions.json#/$defs/name",
        "example": "Groceries"
      },
      "limit": {
        "description": "Most rows of the page, 1 to 500.",
        "type": "integer",
        "minimum": 1,
        "maximum": 500,
        "default": 500
      },
      "offset": {
        "description": "Rows to skip; past the end is an empty page.",
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "default": 0
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "additionalProperties": false,
    "required": [
      "budget_id"
    ]
  },
  "category-months": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "CategoryMonthsQuery",
    "description": "Parameters of GET /category-months. start_month must not be after end_month.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "start_month": {
        "description": "First month, from 0001-01 to 9999-12, or current: the month of today in UTC.",
        "type": "string",
        "pattern": "^(?:current|(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2]))$",
        "format": "month-or-current",
        "example": "current"
      },
      "end_month": {
        "description": "Last month, included; the same values. At most 60 months in all.",
        "type": "string",
        "pattern": "^(?:current|(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2]))$",
        "format": "month-or-current",
        "example": "current"
      },
      "category_id": {
        "description": "Only this category, also a hidden one.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "category-groceries"
      },
      "include_hidden": {
        "description": "List hidden categories and those of hidden groups too.",
        "type": "boolean",
        "default": false
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "required": [
      "budget_id",
      "start_month",
      "end_month"
    ],
    "additionalProperties": false
  },
  "changes": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "ChangesQuery",
    "description": "Parameters of GET /changes.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "cursor": {
        "description": "The cursor of the answer before; absent: everything from the start.",
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "format": "text",
        "example": "2.kRx0fVd2m_Q.42.42.42.7..R6XxMu"
      },
      "limit": {
        "description": "Most things of the page, of all kinds together, those that are gone too: 1 to 1000.",
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "default": 1000
      },
      "wait": {
        "description": "Seconds to wait, 0 to 60, while the cursor's answer has nothing new: it comes with the next change of the budget, or empty when the time is over. Only with cursor.",
        "type": "integer",
        "minimum": 0,
        "maximum": 60,
        "default": 0
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "additionalProperties": false,
    "required": [
      "budget_id"
    ]
  },
  "events": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "EventsQuery",
    "description": "Parameters of GET /events: none.",
    "type": "object",
    "properties": {},
    "additionalProperties": false
  },
  "labels": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "LabelsQuery",
    "description": "Parameters of GET /labels.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "name": {
        "description": "Only labels of this name, in any case and any normal form; the whole name, 1 to 200 code points. Several may have it.",
        "$ref": "../../events/definitions.json#/$defs/name",
        "example": "Work"
      },
      "limit": {
        "description": "Most rows of the page, 1 to 500.",
        "type": "integer",
        "minimum": 1,
        "maximum": 500,
        "default": 500
      },
      "offset": {
        "description": "Rows to skip; past the end is an empty page.",
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "default": 0
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "additionalProperties": false,
    "required": [
      "budget_id"
    ]
  },
  "month-list": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "MonthListQuery",
    "description": "Parameters of GET /months. start_month must not be after end_month.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "start_month": {
        "description": "First month, from 0001-01 to 9999-12, or current: the month of today in UTC.",
        "type": "string",
        "pattern": "^(?:current|(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2]))$",
        "format": "month-or-current",
        "example": "2026-01"
      },
      "end_month": {
        "description": "Last month, included; the same values. At most 120 months in all.",
        "type": "string",
        "pattern": "^(?:current|(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2]))$",
        "format": "month-or-current",
        "example": "current"
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "required": [
      "budget_id",
      "start_month",
      "end_month"
    ],
    "additionalProperties": false
  },
  "months": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "MonthsQuery",
    "description": "Parameters of GET /months/{month}.",
    "type": "object",
    "properties": {
      "month": {
        "description": "The month to read, from 0001-01 to 9999-12; outside the data too.",
        "$ref": "../../events/definitions.json#/$defs/month",
        "x-in": "path",
        "example": "2026-03"
      },
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "required": [
      "month",
      "budget_id"
    ],
    "additionalProperties": false
  },
  "payees": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "PayeesQuery",
    "description": "Parameters of GET /payees.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "name": {
        "description": "Only payees of this name, in any case and any normal form; the whole name, 1 to 200 code points. Several may have it.",
        "$ref": "../../events/definitions.json#/$defs/name",
        "example": "REWE"
      },
      "limit": {
        "description": "Most rows of the page, 1 to 500.",
        "type": "integer",
        "minimum": 1,
        "maximum": 500,
        "default": 500
      },
      "offset": {
        "description": "Rows to skip; past the end is an empty page.",
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "default": 0
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "additionalProperties": false,
    "required": [
      "budget_id"
    ]
  },
  "sums": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "SumsQuery",
    "description": "Parameters of GET /sums. Filters apply before rows are added up; start_date must not be after end_date.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "group_by": {
        "description": "What to add up by: everything that was spent and received at one payee, say. With label, a row counts once under each of its labels. none: all rows together.",
        "type": "string",
        "enum": [
          "account",
          "category",
          "categoryGroup",
          "payee",
          "label",
          "none"
        ],
        "example": "category"
      },
      "interval": {
        "description": "month, year: sums of each month or year that has rows; none: of the whole time.",
        "type": "string",
        "enum": [
          "none",
          "month",
          "year"
        ],
        "default": "none",
        "example": "month"
      },
      "start_date": {
        "description": "Only rows of this date and later.",
        "$ref": "../../events/definitions.json#/$defs/date",
        "example": "2026-03-01"
      },
      "end_date": {
        "description": "Only rows of this date and earlier.",
        "$ref": "../../events/definitions.json#/$defs/date",
        "example": "2026-03-31"
      },
      "account_id": {
        "description": "Only rows of this account.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "account-joint"
      },
      "category_id": {
        "description": "Only rows of this category.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "category-groceries"
      },
      "payee_id": {
        "description": "Only rows of this payee.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "payee-edeka"
      },
      "label_id": {
        "description": "Only rows with this label.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "label-christmas"
      },
      "on_budget": {
        "description": "true: only rows of on-budget accounts; false: only the others.",
        "type": "boolean"
      },
      "transfers": {
        "description": "exclude: no rows that name the account on the other side of a transfer; include: those too; only: nothing else.",
        "type": "string",
        "enum": [
          "exclude",
          "include",
          "only"
        ],
        "default": "exclude"
      },
      "limit": {
        "description": "Most sums of the page, 1 to 1000, over all periods together.",
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "default": 1000
      },
      "offset": {
        "description": "Sums to skip; past the end is an empty page.",
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "default": 0
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "required": [
      "budget_id",
      "group_by"
    ],
    "additionalProperties": false
  },
  "token": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "TokenQuery",
    "description": "Parameters of GET /token: none.",
    "type": "object",
    "properties": {},
    "additionalProperties": false
  },
  "transaction": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "TransactionQuery",
    "description": "Parameters of GET /transactions/{transaction_id}.",
    "type": "object",
    "properties": {
      "transaction_id": {
        "description": "The transaction to read. The ids . and .. cannot be asked for by most clients, which take them for a folder and its parent.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "x-in": "path",
        "example": "transaction-1"
      },
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "required": [
      "transaction_id",
      "budget_id"
    ],
    "additionalProperties": false
  },
  "transactions": {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "TransactionsQuery",
    "description": "Parameters of GET /transactions. Filters apply before paging; start_date must not be after end_date, nor min_amount above max_amount.",
    "type": "object",
    "properties": {
      "budget_id": {
        "description": "The budget to read.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "household"
      },
      "account_id": {
        "description": "Only rows of this account.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "account-joint"
      },
      "category_id": {
        "description": "Only rows of this category.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "category-groceries"
      },
      "payee_id": {
        "description": "Only rows of this payee.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "payee-rewe"
      },
      "label_id": {
        "description": "Only rows that carry this label; their labels come whole.",
        "$ref": "../../events/definitions.json#/$defs/id",
        "example": "label-work"
      },
      "type": {
        "description": "Only rows of this type.",
        "$ref": "../../events/definitions.json#/$defs/transactionType",
        "example": "transfer"
      },
      "min_amount": {
        "description": "Only rows of this amount and higher; amounts have a sign, so -100.00 is below -12.30.",
        "$ref": "../../events/definitions.json#/$defs/money",
        "example": "-100.00"
      },
      "max_amount": {
        "description": "Only rows of this amount and lower: -50.00 keeps what cost 50.00 and more.",
        "$ref": "../../events/definitions.json#/$defs/money",
        "example": "-50.00"
      },
      "start_date": {
        "description": "Only rows of this date and later.",
        "$ref": "../../events/definitions.json#/$defs/date",
        "example": "2026-03-01"
      },
      "end_date": {
        "description": "Only rows of this date and earlier.",
        "$ref": "../../events/definitions.json#/$defs/date",
        "example": "2026-03-31"
      },
      "search": {
        "description": "Only rows whose payee, memo or category contains this text, taken literally, in any case: 1 to 200 code points.",
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "format": "text",
        "example": "market"
      },
      "uncategorized": {
        "description": "true: only rows of on-budget accounts that have no category and need one; false: only the others.",
        "type": "boolean"
      },
      "uncleared": {
        "description": "true: only rows that are not cleared; false: only the others.",
        "type": "boolean"
      },
      "limit": {
        "description": "Most rows of the page, 1 to 1000.",
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "default": 1000
      },
      "offset": {
        "description": "Rows to skip; past the end is an empty page.",
        "type": "integer",
        "minimum": 0,
        "maximum": 2147483647,
        "default": 0
      },
      "X-Projection-Wait-For": {
        "description": "Waits until the budget has applied its event of this sequence, else answers 503.",
        "type": "integer",
        "minimum": 1,
        "maximum": 2147483647,
        "x-in": "header",
        "example": 42
      },
      "X-Projection-Wait-Seconds": {
        "description": "How long X-Projection-Wait-For waits at most; 0 means not at all.",
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "default": 2,
        "x-in": "header"
      }
    },
    "additionalProperties": false,
    "required": [
      "budget_id"
    ]
  }
};
