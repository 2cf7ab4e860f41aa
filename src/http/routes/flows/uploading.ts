import type { FlowCommands } from '../../../commands/flows/flows.ts'
import { succeed } from '../../../domain/errors.ts'
import { checkFlowDocument, isLargeDocument } from '../../../domain/flow-document.ts'
import { BODY_MEDIA_BYTES } from '../../../domain/limits.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as schema from './schema.ts'
import { DRAFT, WRITES } from './writing.ts'

/** POST /v1/flows/{id}/json. */
export function uploadRoute(flows: FlowCommands): Route {
  return route({
    ...WRITES,
    method: 'post',
    path: '/v1/flows/{id}/json',
    name: 'uploadFlowDocument',
    isIdempotent: true,
    textBytes: BODY_MEDIA_BYTES,
    summary: 'Give a draft its document',
    description:
      'The text goes up byte for byte. What the platform finds wrong with it is told as 422 `FLOW_JSON_INVALID` with `validationErrors`, each with its lines and columns; '
      + 'it is the platform’s draft all the same, and can be seen in the preview.',
    params: schema.flowParams,
    body: schema.documentInput,
    bodyExample: example.UPLOAD,
    answer: { status: 200, description: 'Nothing is wrong with it', schema: schema.validated, example: example.TAKEN },
    refusals: [...DRAFT, 'FLOW_JSON_REQUIRED', 'FLOW_JSON_INVALID'],
    async handle({ number, params, body, inTurn }) {
      const check = (text: string) => (isLargeDocument(text) ? inTurn(() => checkFlowDocument(text)) : succeed(text))
      const { validationErrors } = unwrap(await flows.uploadDocument(number, params.id, unwrap(body), check))
      return { status: 200, body: { validationErrors } }
    },
  })
}
