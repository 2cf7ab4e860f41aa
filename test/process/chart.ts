import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse as render } from '@evertdespiegeleer/go-template'
import { parse, parseAllDocuments, stringify } from 'yaml'

const CHART = fileURLToPath(new URL('../../deploy/helm/', import.meta.url))

export type Values = Readonly<Record<string, any>>

/** A Kubernetes object. */
export interface Rendered {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly spec: any
}

export const readChart = (path: string): string => readFileSync(join(CHART, path), 'utf8')

/** The values of the chart, with `over` in their place as `helm --set` has it. */
export function valuesWith(over: Values = {}): Values {
  return merged(parse(readChart('values.yaml')) as Values, over)
}

/** The objects that the chart makes of these values for a release `cms`. */
export async function renderChart(values: Values): Promise<Rendered[]> {
  const texts: string[] = []
  // One after another: they share the engine.
  for (const path of globSync('templates/*.yaml', { cwd: CHART }).toSorted()) texts.push(await renderFile(path, values))
  return texts.flatMap((text) =>
    parseAllDocuments(text)
      .map((document) => {
        if (document.errors.length > 0) throw new Error(`${document.errors.join('\n')}\n${text}`)
        return document.toJS() as Rendered | null
      })
      .filter((object) => object !== null),
  )
}

/** One template by Go's own engine, with what Helm adds to it put in before. */
export async function renderFile(path: string, values: Values): Promise<string> {
  const { name, version, appVersion } = parse(readChart('Chart.yaml')) as Values
  return await render(withHelmFunctions(`${readChart('templates/_helpers.tpl')}${readChart(path)}`, values), {
    Values: values,
    Release: { Name: 'cms', Namespace: 'channel', Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  })
}

/** The functions of Helm that templates use, on paths of values: `toYaml .Values.x | nindent n`, `add .Values.x n`. */
function withHelmFunctions(text: string, values: Values): string {
  return text
    .replaceAll(/\{\{- toYaml \.Values((?:\.\w+)+) \| nindent (\d+) \}\}/g, (_, path: string, width: string) => {
      const lines = stringify(valueAt(values, path)).trimEnd().split('\n')
      return lines.map((line) => `\n${' '.repeat(Number(width))}${line}`).join('')
    })
    .replaceAll(/\{\{ add \.Values((?:\.\w+)+) (\d+) \}\}/g, (_, path: string, more: string) =>
      String(valueAt(values, path) + Number(more)),
    )
}

function valueAt(values: Values, path: string): any {
  return path
    .split('.')
    .filter(Boolean)
    .reduce<any>((value, name) => value[name], values)
}

function merged(base: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(over)])].map((name) => [
      name,
      isMap(base[name]) && isMap(over[name]) ? merged(base[name], over[name]) : (over[name] ?? base[name]),
    ]),
  )
}
