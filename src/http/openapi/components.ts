import { z } from 'zod'

/** The form of every error ([rest.errors.1]). */
export const ERROR_SCHEMA = z
  .object({
    error: z.string().meta({ description: 'For people' }),
    code: z.string().optional().meta({ description: 'For programs; absent where the cause has none' }),
    details: z.unknown().optional().meta({ description: 'Validation: a list of `{path, message}`' }),
  })
  .meta({ id: 'Error' })

/** The form of every error under /v1/flows ([flows.scope.2]). */
export const FLOW_ERROR_SCHEMA = z
  .object({
    error: z.string().meta({ description: 'For people, in Portuguese' }),
    errorEN: z.string().meta({ description: 'For people, in English' }),
    code: z.string().optional().meta({ description: 'For programs; absent where the cause has none' }),
    details: z.unknown().optional().meta({ description: 'Validation: a list of `{path, message}`' }),
    validationErrors: z.array(z.record(z.string(), z.unknown())).optional().meta({
      description: 'Of `FLOW_JSON_INVALID`: what is wrong with the document, each with its lines and columns',
    }),
    unknownFields: z.array(z.string()).optional().meta({ description: 'Of `FLOW_UNKNOWN_FIELDS`' }),
  })
  .meta({ id: 'FlowError' })

export const REQUEST_ID_PARAMETER = {
  name: 'x-request-id',
  in: 'header' as const,
  required: false,
  schema: { type: 'string' as const, pattern: '^[\\w.-]{1,128}$' },
  description: 'Echoed in the answer; a new one is made when absent',
}

export const NUMBER_PARAMETER = {
  name: 'x-channel-number-id',
  in: 'header' as const,
  required: false,
  schema: { type: 'string' as const },
  description:
    'Scopes the request to one number; a number that is not yours answers 404 NUMBER_NOT_FOUND. An access token names by it the number that it acts for',
}

export const IDEMPOTENCY_PARAMETER = {
  name: 'idempotency-key',
  in: 'header' as const,
  required: false,
  schema: { type: 'string' as const, minLength: 1, maxLength: 255 },
  description: 'The same key with the same body answers the first answer again for 24 h',
}

function header(description: string, type: 'string' | 'integer' = 'string') {
  return { description, schema: { type } }
}

/** Headers of answers: those of every answer, and those of rate-limited routes. */
export const ANSWER_HEADERS = {
  always: { 'x-request-id': header('Id of this request, for support and logs') },
  limited: {
    'ratelimit-limit': header('Requests a minute', 'integer'),
    'ratelimit-remaining': header('Requests left now', 'integer'),
    'ratelimit-reset': header('Seconds until all are left again', 'integer'),
  },
  idempotent: { 'idempotency-replayed': header('`true` when this is the first answer again') },
  file: {
    'content-disposition': header('`inline` of what a browser may show, else `attachment`; with the name of the file'),
    'accept-ranges': header('`bytes`'),
  },
  range: { 'content-range': header('`bytes 0-1023/4096`') },
  retry: { 'retry-after': header('Seconds to wait', 'integer') },
} as const
