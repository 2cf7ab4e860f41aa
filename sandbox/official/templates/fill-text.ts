import { GraphError } from '../http/graph-error.ts'
import type { SentParameter } from './message-shape.ts'
import { fillPlaceholders, namesIn } from './placeholders.ts'
import type { ParameterFormat } from './template.ts'

/** The refusal for a number of parameters that is not the template's. */
export function countMismatch(where: string, sent: number, expected: number): GraphError {
  return new GraphError(132000, {
    details: `${where}: number of localizable_params (${sent}) does not match the expected number of params (${expected})`,
  })
}

/** The refusal for a parameter of another form than the template wants. */
export function formatMismatch(details: string): GraphError {
  return new GraphError(132012, { details })
}

/** The text that replaces a parameter. */
export function valueOf(where: string, parameter: SentParameter): string {
  const value =
    parameter.type === 'text'
      ? parameter.text
      : parameter.type === 'currency'
        ? parameter.currency.fallback_value
        : parameter.type === 'date_time'
          ? parameter.date_time.fallback_value
          : null
  if (value === null)
    throw formatMismatch(`${where}: Format mismatch, expected TEXT, received ${parameter.type.toUpperCase()}`)
  if (/[\n\r\t]| {5}/.test(value))
    throw new GraphError(132018, {
      details: `${where}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    })
  return value
}

function nameOf(parameter: SentParameter): string | undefined {
  return 'parameter_name' in parameter ? parameter.parameter_name : undefined
}

/** Values by the names of variables: by place, or by the names of the parameters. */
function valuesOf(
  where: string,
  names: readonly string[],
  sent: readonly SentParameter[],
  format: ParameterFormat,
): ReadonlyMap<string, string> {
  return new Map(
    sent.map((parameter, index) => {
      const given = nameOf(parameter)
      if (format === 'POSITIONAL' && given !== undefined)
        throw formatMismatch(`${where}: Parameter name is not expected (${given})`)
      if (format === 'NAMED' && given === undefined)
        throw formatMismatch(`${where}: Parameter name is missing or empty`)
      const name = format === 'POSITIONAL' ? (names[index] ?? '') : (given ?? '')
      if (!names.includes(name)) throw formatMismatch(`${where}: There is no variable of the name ${name}`)
      return [name, valueOf(where, parameter)]
    }),
  )
}

/** A text with its parameters filled in, at most `maxLength` characters. */
export function fillText(
  where: string,
  text: string,
  sent: readonly SentParameter[],
  { format, maxLength }: { readonly format: ParameterFormat; readonly maxLength: number },
): string {
  const names = namesIn(text, format)
  if (sent.length !== names.length) throw countMismatch(where, sent.length, names.length)
  const values = valuesOf(where, names, sent, format)
  const lacking = names.find((name) => !values.has(name))
  if (lacking !== undefined) throw formatMismatch(`${where}: Parameter ${lacking} is missing`)
  const filled = fillPlaceholders(text, (name) => values.get(name) ?? '')
  const { length } = [...filled]
  if (length > maxLength)
    throw new GraphError(132005, {
      details: `${where}: the translated text has ${length} characters, over the limit of ${maxLength}`,
    })
  return filled
}
