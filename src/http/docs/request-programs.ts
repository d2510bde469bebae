// One request as a curl line, in JavaScript and in Python, each a whole program. They take the token from the
// environment, because a token in a file ends up in places where it should not be. Those of a stream run until they are
// interrupted.

/** Returns a curl line. Addresses hold no character that means something to a shell in double quotes. */
export function curlLine(address: string, headers: readonly string[] = []): string {
  const given = ['Authorization: Bearer $TOKEN', ...headers].map(header => `-H "${header}"`);
  return `curl ${given.join(' ')} "${address}"`;
}

/** Returns an ES module for Node. */
export function javaScriptProgram(address: string): string {
  return `const response = await fetch('${address}', {
  headers: { Authorization: \`Bearer \${process.env.TOKEN}\` },
});
const answer = await response.json();
if (!response.ok) throw new Error(\`\${answer.error.code}: \${answer.error.message}\`);
console.log(JSON.stringify(answer, null, 2));
`;
}

/** Returns a program for Python's standard library. */
export function pythonProgram(address: string): string {
  return `import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${address}",
    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
`;
}

/** Returns a curl line that prints what comes as it comes. */
export function curlStreamLine(address: string): string {
  return curlLine(address).replace('curl', 'curl -N');
}

export function javaScriptStreamProgram(address: string): string {
  return `const response = await fetch('${address}', {
  headers: { Authorization: \`Bearer \${process.env.TOKEN}\` },
});
if (!response.ok) throw new Error(await response.text());
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  process.stdout.write(text);
}
`;
}

export function pythonStreamProgram(address: string): string {
  return `import os
from urllib.request import Request, urlopen

request = Request(
    "${address}",
    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},
)
with urlopen(request) as response:
    for line in response:
        print(line.decode(), end="", flush=True)
`;
}
