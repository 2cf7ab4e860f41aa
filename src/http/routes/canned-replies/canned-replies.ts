import type { CannedReply } from '../../../domain/canned-reply.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { CannedReplyStore } from '../../../ports/stores/canned-reply-store.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { SAMPLE } from '../samples.ts'
import * as schema from './schema.ts'

export interface CannedReplyDeps {
  readonly cannedReplies: CannedReplyStore
}

const FACTS = {
  group: 'Conversations',
  access: { by: ['key', 'session'], of: 'tenant' },
  permission: 'chat:send',
} as const

const EXAMPLE = {
  id: 'crep_01kb0000000000000000000000',
  shortcut: 'hours',
  text: 'We are open from 9 to 17.',
  createdAt: SAMPLE.createdAt,
  updatedAt: SAMPLE.createdAt,
}

/** Texts that people of the account keep to answer with ([canned-replies.routes.1] to [canned-replies.routes.4]). */
export function cannedReplyRoutes(deps: CannedReplyDeps): Route[] {
  return [list(deps), create(deps), change(deps), remove(deps)]
}

/** A canned reply as the API shows it ([canned-replies.object.1]). */
export function presentCannedReply({ id, shortcut, text, createdAt, updatedAt }: CannedReply) {
  return { id, shortcut, text, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

function list({ cannedReplies }: CannedReplyDeps): Route {
  return route({
    ...FACTS,
    method: 'get',
    path: '/v1/canned-replies',
    name: 'listCannedReplies',
    summary: 'List the canned replies of the account',
    answer: {
      status: 200,
      description: 'All, by shortcut',
      schema: schema.cannedReplies,
      example: { cannedReplies: [EXAMPLE] },
    },
    async handle({ caller }) {
      const all = await cannedReplies.list(caller.tenantId)
      return { status: 200, body: { cannedReplies: all.map(presentCannedReply) } }
    },
  })
}

function create({ cannedReplies }: CannedReplyDeps): Route {
  return route({
    ...FACTS,
    method: 'post',
    path: '/v1/canned-replies',
    name: 'createCannedReply',
    isIdempotent: true,
    summary: 'Keep a text to answer with',
    body: schema.createInput,
    bodyExample: { shortcut: EXAMPLE.shortcut, text: EXAMPLE.text },
    answer: { status: 201, description: 'The canned reply', schema: schema.cannedReply, example: EXAMPLE },
    refusals: ['CANNED_REPLY_EXISTS', 'CANNED_REPLY_LIMIT'],
    async handle({ caller, body }) {
      return { status: 201, body: presentCannedReply(unwrap(await cannedReplies.create(caller.tenantId, body))) }
    },
  })
}

function change({ cannedReplies }: CannedReplyDeps): Route {
  return route({
    ...FACTS,
    method: 'patch',
    path: '/v1/canned-replies/{id}',
    name: 'updateCannedReply',
    summary: 'Change a canned reply',
    params: schema.params,
    body: schema.patchInput,
    bodyExample: { text: 'We are open from 8 to 17.' },
    answer: { status: 200, description: 'The canned reply', schema: schema.cannedReply, example: EXAMPLE },
    refusals: ['CANNED_REPLY_NOT_FOUND', 'CANNED_REPLY_EXISTS'],
    async handle({ caller, params, body: { shortcut, text } }) {
      const fields = { ...(shortcut === undefined ? {} : { shortcut }), ...(text === undefined ? {} : { text }) }
      return {
        status: 200,
        body: presentCannedReply(unwrap(await cannedReplies.change(caller.tenantId, params.id, fields))),
      }
    },
  })
}

function remove({ cannedReplies }: CannedReplyDeps): Route {
  return route({
    ...FACTS,
    method: 'delete',
    path: '/v1/canned-replies/{id}',
    name: 'deleteCannedReply',
    summary: 'Remove a canned reply',
    params: schema.params,
    answer: {
      status: 200,
      description: 'It is gone',
      schema: schema.removed,
      example: { deleted: true, id: EXAMPLE.id },
    },
    refusals: ['CANNED_REPLY_NOT_FOUND'],
    async handle({ caller, params: { id } }) {
      if (!(await cannedReplies.remove(caller.tenantId, id)))
        throw new RefusalError(refuse('CANNED_REPLY_NOT_FOUND', 'No such canned reply in this account'))
      return { status: 200, body: { deleted: true, id } }
    },
  })
}
