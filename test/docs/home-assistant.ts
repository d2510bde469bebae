// What Home Assistant does with a REST sensor: the request that it makes, and what it shows of the answer.
import { parse } from 'yaml';
import { pythonPackages } from './python-packages.ts';
import { run } from './recipe-scene.ts';

export interface RestSensor {
  readonly platform: string;
  readonly resource: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly availability: string;
  readonly value_template: string;
}

/** Keys of a sensor of the platform rest, as its page lists them. */
const KEYS = [
  'platform',
  'name',
  'unique_id',
  'resource',
  'params',
  'headers',
  'availability',
  'value_template',
  'device_class',
  'unit_of_measurement',
  'scan_interval',
];

/** Its own template engine. */
const RENDER = `
import json, sys
from jinja2.sandbox import ImmutableSandboxedEnvironment
env = ImmutableSandboxedEnvironment()
answer, *templates = (json.loads(text) for text in sys.argv[1:])
print(json.dumps([env.from_string(template).render(value_json=answer) for template in templates]))
`;

/** Returns the only sensor of configuration.yaml. Throws for a key that Home Assistant does not know. */
export function restSensor(configuration: string, secrets: string): RestSensor {
  const known: Record<string, string> = parse(secrets);
  const secret = { tag: '!secret', resolve: (name: string) => known[name] };
  const { sensor: sensors } = parse(configuration, { customTags: [secret] });
  const [sensor, ...others] = sensors;
  if (others.length > 0) throw new Error(`Expected one sensor, got ${sensors.length}`);
  const unknown = Object.keys(sensor).filter(key => !KEYS.includes(key));
  if (unknown.length > 0) throw new Error(`Expected keys of a REST sensor, got ${unknown}`);
  if (sensor.platform !== 'rest') throw new Error(`Expected rest, got ${sensor.platform}`);
  return sensor;
}

/** Returns what the sensor shows of the service at `origin` instead of its own; null while it is unavailable. */
export async function shownBy(sensor: RestSensor, origin: string): Promise<string | null> {
  const { resource, params, headers, availability, value_template: value } = sensor;
  const { pathname } = new URL(resource);
  const response = await fetch(`${origin}${pathname}?${new URLSearchParams(params)}`, { headers });
  const answer = await response.json();
  const [isAvailable] = await rendered(answer, [availability]);
  if (isAvailable !== 'True') return null;
  const [shown = ''] = await rendered(answer, [value]);
  return shown;
}

async function rendered(answer: unknown, templates: readonly string[]): Promise<string[]> {
  const args = [answer, ...templates].map(given => JSON.stringify(given));
  const env = { ...process.env, PYTHONPATH: await pythonPackages() };
  const { code, out, err } = await run('python3', ['-c', RENDER, ...args], { cwd: '/', env });
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}
