import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { createMetrics } from '../../src/process/metrics.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Labels that Prometheus adds. */
const OF_PROMETHEUS = new Set(['instance', 'job', 'le'])
/** Words of the query language that may come before a parenthesis or a list of labels. */
const WORDS = new Set([
  'and',
  'sum',
  'min',
  'max',
  'count',
  'rate',
  'increase',
  'topk',
  'histogram_quantile',
  'by',
  'for',
  'or',
])

interface Own {
  readonly kind: string
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

/** Every metric that the code of the product creates. */
function ownMetrics(): Own[] {
  return globSync('{src,actors,media-host}/**/*.ts', { cwd: ROOT }).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return [...text.matchAll(/\.(counter|gauge|histogram)\(\s*'([a-z_0-9]+)',\s*'([^']+)'([^)]*\))/g)].map(
      ([, kind = '', name = '', help = '', rest = '']) => {
        const listed =
          /\[\s*('[a-z_',\s]+)\]/.exec(rest)?.[1]
          ?? (/,\s*labels,?\s*\)/.test(rest) ? /const labels = \[([^\]]+)\]/.exec(text)?.[1] : '')
        return { kind, name, help, labels: [...(listed ?? '').matchAll(/'([a-z_]+)'/g)].map(([, label = '']) => label) }
      },
    )
  })
}

/** Every metric of the programs, with its labels. */
async function metricsMade(): Promise<Map<string, readonly string[]>> {
  const made = new Map<string, readonly string[]>()
  for (const { kind, name, labels } of ownMetrics()) {
    for (const ending of kind === 'histogram' ? ['_bucket', '_count', '_sum'] : [''])
      made.set(`${name}${ending}`, labels)
  }
  for (const [, name = ''] of (await createMetrics().text()).matchAll(/^# TYPE (\S+)/gm)) made.set(name, [])
  made.set('up', [])
  return made
}

interface Query {
  readonly from: string
  readonly text: string
  /** Whether the dashboard draws it; otherwise it belongs to the rule of an alert. */
  readonly isDrawn: boolean
}

function queries(): Query[] {
  const dashboard = JSON.parse(readFileSync(join(ROOT, 'deploy/monitoring/dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const drawn = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ from: title, text: expr, isDrawn: true })),
  )
  const alerts = readFileSync(join(ROOT, 'deploy/monitoring/alerts.yml'), 'utf8')
  const ruled = [...alerts.matchAll(/- alert: (\w+)\n +expr: (.+)\n/g)].map(([, from = '', text = '']) => ({
    from,
    text,
    isDrawn: false,
  }))
  return [...drawn, ...ruled]
}

/** The metrics that a query names, and the labels that it selects or groups by. */
function namesIn(text: string): { readonly metrics: string[]; readonly labels: string[] } {
  const labels = [...text.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  )
  const picked = [...text.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label)
  const bare = text
    .replaceAll(/by \([^)]+\)/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
  return {
    metrics: [...bare.matchAll(/[a-z_][a-z_0-9]+/g)].map(([name]) => name).filter((name) => !WORDS.has(name)),
    labels: [...labels, ...picked],
  }
}

test('every metric and every label that the dashboard and the alerts name is made by the programs', async (t) => {
  const made = await metricsMade()
  const all = queries()
  t.true(all.length > 40)
  for (const { from, text } of all) {
    const { metrics, labels } = namesIn(text)
    t.true(metrics.length > 0, from)
    t.deepEqual(
      metrics.filter((name) => !made.has(name)),
      [],
      from,
    )
    const known = metrics.flatMap((name) => made.get(name) ?? [])
    t.deepEqual(
      labels.filter((label) => !known.includes(label) && !OF_PROMETHEUS.has(label)),
      [],
      from,
    )
  }
})

/**
 * The questions of operators: messages by direction, status and code; calls by outcome; what waits and how long;
 * deliveries by outcome; what is set aside.
 */
const ASKED_BY_OPERATORS = [
  'messages_total',
  'calls_total',
  'messages_waiting',
  'messages_waiting_age_seconds',
  'webhook_deliveries_total',
  'set_aside_items',
]

test('the dashboard draws what operators ask', (t) => {
  const drawn = new Set(
    queries()
      .filter(({ isDrawn }) => isDrawn)
      .flatMap(({ text }) => namesIn(text).metrics),
  )
  t.deepEqual(
    ASKED_BY_OPERATORS.filter((name) => !drawn.has(name)),
    [],
  )
})

test('every alert says what to do', (t) => {
  const alerts = readFileSync(join(ROOT, 'deploy/monitoring/alerts.yml'), 'utf8')
  const count = (what: RegExp): number => alerts.match(what)?.length ?? 0
  t.true(count(/- alert: /g) > 8)
  t.is(count(/ action: "/g), count(/- alert: /g))
  t.is(count(/\{ severity: (page|ticket) \}/g), count(/- alert: /g))
})

test('the guide of operators has a row for every alert, with the words of the rule', (t) => {
  const alerts = readFileSync(join(ROOT, 'deploy/monitoring/alerts.yml'), 'utf8')
  const rule = /- alert: (\w+)$[^]*?severity: (\w+)[^]*?^ +action: "(.*)"$/gm
  const rows = [...alerts.matchAll(rule)].map(
    ([, name = '', severity = '', action = '']) => `| \`${name}\` | ${severity} | ${action.replaceAll('\\"', '"')} |`,
  )
  t.true(rows.length > 8)
  const guide = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8').split('\n')
  t.deepEqual(
    guide.filter((line) => /^\| `\w+` \| (page|ticket) \|/.test(line)),
    rows,
  )
})

/** A row of docs/metrics.md. */
function rowOf({ kind, name, help, labels }: Own): string {
  return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help.replace(/\.$/, '')} |`
}

test('names of metrics follow the conventions of Prometheus', (t) => {
  const made = ownMetrics()
  t.true(made.length > 40)
  t.deepEqual(
    made.filter(({ kind, name }) => (kind === 'counter') !== name.endsWith('_total')).map(({ name }) => name),
    [],
  )
  t.deepEqual(
    made
      .filter(({ name }) => /_(ms|millis|milliseconds|minutes|hours|percent|kb|mb)(_|$)/.test(name))
      .map(({ name }) => name),
    [],
    'base units: seconds, bytes, ratios',
  )
  t.deepEqual(
    made.filter(({ kind, name }) => kind === 'histogram' && !name.endsWith('_seconds')).map(({ name }) => name),
    [],
  )
})

test('the guide lists every metric of ours with its labels, as the code says it, and no other', (t) => {
  const guide = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  t.deepEqual(
    guide,
    [...new Set(ownMetrics().map(rowOf))].toSorted((a, b) => a.localeCompare(b)),
  )
})
