import { z } from 'zod'

/** One environment variable, as operators read about it. */
interface Variable {
  readonly name: string
  readonly text: string
}

/** The fields of a JSON schema that describe one variable. */
interface Shape {
  readonly default?: unknown
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

const HEAD = `# Configuration

Made by \`npm run configuration\` of \`src/config/variables.ts\`; a test holds the two together. Programs read the
environment once, at their start, and name every variable that they cannot take. Variables of the engine for real phones
stand in [its README](../engines/baileys/README.md).

| variable | default | values | what it does |
|---|---|---|---|
`

/**
 * The page of all variables. Names and texts come from the source of `variables.ts`, values and defaults from its
 * schema.
 */
export function configurationPage(source: string, schema: z.ZodType): string {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Shape>
  }
  const rows = variablesOf(source).map(({ name, text }) => rowOf(name, text, properties[name] ?? {}))
  return `${HEAD}${rows.join('\n')}\n`
}

function variablesOf(source: string): Variable[] {
  const found = source.matchAll(/(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\s*)?^ {2}([A-Z][A-Z0-9_]*):/gm)
  return [...found].map(([, comment = '', name = '']) => ({ name, text: plainText(comment) }))
}

/** A comment without its stars, line breaks and citations. */
function plainText(comment: string): string {
  const words = comment
    .replaceAll(/^\s*\*\s?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const uncited = words
    .replaceAll(/ \((?:our choice|docs\/scale\.md|\[[^)]*\])\)/g, '')
    .replaceAll(/ ?\[[\w.-]+\.\d+\]/g, '')
  return uncited.replaceAll('|', '\\|').replace(/\.$/, '')
}

function rowOf(name: string, text: string, shape: Shape): string {
  const byDefault = shape.default === undefined || isEmpty(shape.default) ? '' : `\`${String(shape.default)}\``
  return `| \`${name}\` | ${byDefault} | ${valuesOf(shape)} | ${text} |`
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function valuesOf(shape: Shape): string {
  if (shape.anyOf) return shape.anyOf.map(valuesOf).filter(Boolean).join(', ')
  if (shape.items) return 'a list'
  if (shape.const !== undefined) return `\`${shape.const}\``
  if (shape.enum) return shape.enum.map((value) => `\`${value}\``).join(', ')
  return shape.type === 'integer' || shape.type === 'number' ? rangeOf(shape) : ''
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: Shape): string {
  const least = minimum ?? (exclusiveMinimum === undefined ? null : `over ${exclusiveMinimum}`)
  return [least, maximum].filter((end) => end !== null && end !== undefined).join(' to ')
}
