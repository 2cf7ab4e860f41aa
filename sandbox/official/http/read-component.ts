import type { z } from 'zod'
import { GraphError } from './graph-error.ts'

/**
 * Reads a part of a template. Unknown, missing and malformed fields are refused with code 100, as everywhere in Graph.
 */
export function readComponent<T>(schema: z.ZodType<T>, value: unknown, within: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = [within, ...(issue?.path ?? [])].map(String).join('.')
  if (issue?.code === 'unrecognized_keys')
    throw new GraphError(100, { message: `(#100) Unexpected key "${issue.keys.join('", "')}" on param "${at}".` })
  throw new GraphError(100, { message: `(#100) Param ${at} is missing or not valid: ${issue?.message ?? ''}` })
}
