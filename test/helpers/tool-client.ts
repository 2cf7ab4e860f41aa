import type { Client, Reply } from './http-app.ts'

/** What clients of tools accept. */
export const ACCEPT = { accept: 'application/json, text/event-stream' }

const REVISION = '2026-07-28'
/** What each request of that revision carries. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export interface ToolReply {
  readonly reply: Reply
  /** Of the JSON-RPC answer. */
  readonly result: any
  /** What a refused call says: `{status, error, code?, details?}`; null where it was not refused. */
  readonly refusal: any
}

export interface Asking {
  readonly key?: string
  readonly headers?: Record<string, string>
}

/** Speaks the protocol by hand, in revision 2025-06-18: one request, without what clients do before. */
export function toolClient(client: Client, key: string) {
  const post = (message: object, asking: Asking = {}): Promise<Reply> =>
    client.send('POST', '/mcp', {
      key: asking.key ?? key,
      headers: { ...ACCEPT, ...asking.headers },
      body: { jsonrpc: '2.0', id: 1, ...message },
    })
  const ask = async (message: object, asking?: Asking): Promise<ToolReply> => {
    const reply = await post(message, asking)
    const result = reply.body?.result
    return { reply, result, refusal: result?.isError ? JSON.parse(result.content[0].text) : null }
  }
  return {
    post,
    call: (name: string, args: object = {}, asking?: Asking): Promise<ToolReply> =>
      ask({ method: 'tools/call', params: { name, arguments: args } }, asking),
    list: async (asking?: Asking): Promise<any[]> => (await ask({ method: 'tools/list' }, asking)).result.tools,
    /** The same in revision 2026-07-28, with its headers unless others are given. */
    modern: (method: string, params: object = {}, headers: Record<string, string> = {}): Promise<Reply> =>
      post(
        { method, params: { ...params, _meta: ENVELOPE } },
        {
          headers: {
            'mcp-protocol-version': REVISION,
            'mcp-method': method,
            ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
            ...headers,
          },
        },
      ),
  }
}
