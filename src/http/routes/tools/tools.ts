import type { Caller } from '../../../domain/caller.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import { fieldsIn, isFields, textIn } from '../../../domain/json-fields.ts'
import { BODY_BYTES } from '../../../domain/limits.ts'
import type { Permission } from '../../../domain/permissions.ts'
import type { RateLimiter } from '../../../ports/rate-limiter.ts'
import { CHALLENGE, insufficientScope } from '../../request/challenge.ts'
import { HeavyWork } from '../../request/heavy-work.ts'
import { presentRefusal } from '../../request/refusal-body.ts'
import { route } from '../../request/route.ts'
import type { RawBody, Route } from '../../request/route.ts'
import { createAgents } from '../../tools/agent.ts'
import type { AgentDeps } from '../../tools/agent.ts'
import { messagesIn, MOST_BATCHED } from '../../tools/batch.ts'
import { createProtocol, unparsed } from '../../tools/protocol.ts'

export interface ToolRouteDeps extends AgentDeps {
  /** Public base URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly heavy: HeavyWork
  readonly limiter: RateLimiter
}

const PATH = '/mcp'
/** One decoder serves all bodies: making one costs more than decoding most of them. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })
/** Headers that the protocol reads. */
const READ = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/** The interface for programs that act for people: every tool behind one address ([tools.endpoint.1]). */
export function toolRoutes(deps: ToolRouteDeps): Route[] {
  const { toolsOf, missingScope } = createAgents(deps)
  const answer = createProtocol(deps.baseUrl)
  return [
    route({
      method: 'post',
      path: PATH,
      name: 'callTools',
      group: 'Operations',
      access: { by: ['agent'], of: 'caller' },
      isHidden: true,
      rawBodyBytes: BODY_BYTES,
      summary: 'Speak MCP',
      answer: { status: 200, description: 'What the protocol answers' },
      async handle({ agent, raw, client }) {
        const sent = await parsed(raw, agent.id, deps.heavy)
        if (!sent) return unparsed()
        await countBatched(deps.limiter, agent, messagesIn(sent.json).length)
        const missing = calledIn(sent.json)
          .map((name) => missingScope(agent, name))
          .find((scope) => scope !== null)
        if (missing) return insufficient(deps.baseUrl, missing)
        const tools = toolsOf({
          caller: agent,
          namedNumber: raw?.header('x-channel-number-id') ?? null,
          clientAddress: client.address,
          requestId: client.requestId,
        })
        return answer({ headers: headersOf(raw), json: sent.json }, tools)
      },
    }),
  ]
}

/**
 * Counts the further messages of a batch as requests; the first was counted with the POST. A batch that is too large is
 * refused whole, so its messages are not counted.
 */
async function countBatched(limiter: RateLimiter, { id, limits }: Caller, messages: number): Promise<void> {
  if (messages < 2 || messages > MOST_BATCHED) return
  const { isAllowed, retryAfterSeconds } = await limiter.take(`tools:${id}`, limits.requestsPerMinute, messages - 1)
  if (!isAllowed)
    throw new RefusalError(
      refuse('RATE_LIMITED', 'Rate limit exceeded: each message of a batch is a request', undefined, retryAfterSeconds),
    )
}

/** Names of the tools that a message, or a batch of them, calls. */
function calledIn(json: unknown): string[] {
  return messagesIn(json)
    .filter(isFields)
    .filter(({ method }) => method === 'tools/call')
    .flatMap((message) => textIn(fieldsIn(message, 'params'), 'name') ?? [])
}

/** The answer that sends a program to ask its person for more ([tools.calls.8]). Nothing was done. */
function insufficient(baseUrl: string, missing: Permission) {
  const refusal = refuse('PERMISSION_DENIED', `This tool needs the scope ${missing}`)
  return {
    status: 403,
    body: presentRefusal(refusal, PATH),
    headers: { [CHALLENGE]: insufficientScope({ baseUrl, resource: 'mcp' }, missing) },
  }
}

function headersOf(raw: RawBody | null): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const name of READ) {
    const value = raw?.header(name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}

/** The body as JSON, null when it is none. A large body waits for its turn, as every large one does. */
async function parsed(
  raw: RawBody | null,
  payer: string,
  heavy: HeavyWork,
): Promise<{ readonly json: unknown } | null> {
  const bytes = raw?.bytes ?? Buffer.alloc(0)
  const parse = (): { readonly json: unknown } | null => {
    try {
      return { json: JSON.parse(UTF_8.decode(bytes)) }
    } catch {
      return null
    }
  }
  return HeavyWork.isHeavy(bytes) ? heavy.run(payer, parse) : parse()
}
