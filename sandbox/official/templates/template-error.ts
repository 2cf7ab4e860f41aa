import { GraphError } from '../http/graph-error.ts'

/** Upstream's subcodes of faults of a template; they come with code 100. */
export const SUBCODES = {
  tooMany: 2388019,
  beingDeleted: 2388023,
  exists: 2388024,
  notEditable: 2388039,
  tooLong: 2388040,
  name: 2388046,
  label: 2388060,
  header: 2388047,
  body: 2388072,
  footerText: 2388072,
  footer: 2388073,
  payment: 2388128,
  sample: 2388273,
  ratio: 2388293,
  edge: 2388299,
  gone: 2593002,
} as const

/** The refusal of a template in the form of management's errors, without a subcode when upstream gives none. */
export function refusal(why: keyof typeof SUBCODES | null, title: string, text: string): GraphError {
  return new GraphError(100, {
    ...(why === null ? {} : { subcode: SUBCODES[why] }),
    message: 'Invalid parameter',
    user: { title, text },
  })
}

/** Refuses a field that is too long. */
export function assertLength(text: string, max: number, field: string): void {
  const actual = [...text].length
  if (actual > max)
    throw refusal(
      'tooLong',
      'Character limit exceeded',
      `The ${field} has ${actual} characters, at most ${max} are allowed.`,
    )
}
