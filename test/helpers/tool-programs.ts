import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** A tool client, as its library makes it. */
export interface ToolProgram {
  /** The protocol version that it agreed on with the service. */
  readonly version: () => string | undefined
  readonly listTools: () => Promise<{ readonly tools: readonly any[] }>
  /** Throws when the protocol refuses; the client checks answers against the tool's schema. */
  readonly callTool: (call: { readonly name: string; readonly arguments: Record<string, unknown> }) => Promise<any>
  readonly close: () => Promise<void>
}

/** How long a client waits for an answer, in place of a minute, because a busy machine is no fault of the service. */
const WAITING = { timeout: 540_000 }

type Headers = Readonly<Record<string, string>>

async function modern(url: string, headers: Headers, mode: 'legacy' | { readonly pin: string }): Promise<ToolProgram> {
  const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new ModernTransport(new URL(url), { requestInit: { headers } }), WAITING)
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    listTools: () => client.listTools({}, WAITING),
    callTool: (call) => client.callTool(call, WAITING),
    close: () => client.close(),
  }
}

async function earlier(url: string, headers: Headers): Promise<ToolProgram> {
  const client = new EarlierClient({ name: 'test', version: '1' })
  const transport = new EarlierTransport(new URL(url), { requestInit: { headers } })
  // The library's types treat absent fields differently from this project's.
  await client.connect(transport as Parameters<EarlierClient['connect']>[0], WAITING)
  return {
    version: () => transport.protocolVersion,
    listTools: () => client.listTools({}, WAITING),
    callTool: (call) => client.callTool(call, undefined, WAITING),
    close: () => client.close(),
  }
}

/** The public clients, unmodified, for both generations of the protocol, by the version they should agree on. */
export const PROGRAMS: readonly (readonly [
  title: string,
  version: string,
  open: (url: string, headers: Headers) => Promise<ToolProgram>,
])[] = [
  ['client 2.4.0, pinned to 2026-07-28', '2026-07-28', (url, headers) => modern(url, headers, { pin: '2026-07-28' })],
  ['client 2.4.0 as it comes', '2025-11-25', (url, headers) => modern(url, headers, 'legacy')],
  ['sdk 1.32.2', '2025-11-25', earlier],
]
