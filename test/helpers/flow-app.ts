import type { ExecutionContext } from 'ava'
import type { FlowStatus } from '../../src/domain/flow.ts'
import type { RestDeps } from '../../src/http/server.ts'
import type { OfficialOf } from '../../src/ports/official/number.ts'
import type { StoredFlow } from '../../src/ports/stores/flow-store.ts'
import { FlowPlatform } from './flow-platform.ts'
import { serve, type Reply } from './http-app.ts'
import { World } from './world.ts'

export const VALID = '{"version":"7.1","screens":[]}'

/** The routes of Flows over rows in memory, with the platform behind an OFFICIAL number. */
export async function openFlowApp(t: ExecutionContext<any>, changes: Partial<RestDeps> = {}) {
  const world = new World()
  const { number, key } = world.addOfficial()
  const platform = new FlowPlatform()
  const officialOf: OfficialOf = (credentials) => ({
    ...world.official.upstream.officialOf(credentials),
    flows: platform,
  })
  const client = await serve(t, world, { officialOf, ...changes })
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    client.send(method, `/v1/flows${path}`, { key: key.raw, ...(body === undefined ? {} : { body }), headers })
  /** Adds a Flow in a state, here and upstream. */
  const add = (officialStatus: FlowStatus = 'DRAFT', fields: Partial<StoredFlow> = {}): StoredFlow => {
    const { externalId, name } = platform.add({
      status: officialStatus,
      ...(fields.name === undefined ? {} : { name: fields.name }),
    })
    return world.flows.add(number, { officialFlowId: externalId, officialStatus, name, ...fields })
  }
  return { world, number, key, platform, client, send, add }
}

export type FlowApp = Awaited<ReturnType<typeof openFlowApp>>

/** Asserts a refusal with its status, code and the beginnings of both texts. */
export function isRefused(
  t: ExecutionContext<any>,
  reply: Reply,
  status: number,
  code: string | undefined,
  pt: string,
  en: string,
  what: unknown = '',
): void {
  const said = `${JSON.stringify(what)?.slice(0, 100)} ${reply.text.slice(0, 300)}`
  t.is(reply.status, status, said)
  t.is(reply.body?.code, code, said)
  t.true(String(reply.body?.error).startsWith(pt), said)
  t.true(String(reply.body?.errorEN).startsWith(en), said)
}
