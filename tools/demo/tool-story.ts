import type { Report } from './report.ts'
import type { Rest } from './rest.ts'

/** The number whose tools an agent uses. */
export interface ToolStage {
  /** Public base of the service, without a trailing slash. */
  readonly base: string
  /** The number's API key. */
  readonly key: string
}

interface History {
  readonly total: number
}

/**
 * Plays an agent with the key of a number: it lists its tools with the public client, calls one, and gets the answer of
 * the route behind it.
 */
export async function playToolStory(report: Report, { base, key }: ToolStage, number: Rest): Promise<void> {
  await report.step('an agent lists its tools, and reads messages by one', async () => {
    // The client is a development dependency, which a production installation lacks.
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const client = new Client({ name: 'demo', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    )
    try {
      const { tools } = await client.listTools()
      const { structuredContent, isError } = await client.callTool({ name: 'messages_history', arguments: {} })
      const { total } = await number.get<History>('/v1/messages/history')
      if (isError || (structuredContent as History | undefined)?.total !== total)
        throw new Error('the tool says something else than its route')
      return [
        undefined,
        `${tools.length} tools, MCP ${client.getNegotiatedProtocolVersion()}; messages_history: ${total} messages`,
      ] as const
    } finally {
      await client.close()
    }
  })
}
