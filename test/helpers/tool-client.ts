import type { Client, Reply } from './http-app.ts'

/** The Accept header of tool clients. */
export const ACCEPT = { accept: 'application/json, text/event-stream' }

const REVISION = '2026-07-28'
/** Fields that each request of that protocol revision carries. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export interface ToolReply {
  readonly reply: Reply
  /** The result in the JSON-RPC answer. */
  readonly result: any
  /** The refusal of a call: `{status, error, code?, details?}`; null when it was not refused. */
  readonly refusal: any
}

export interface Asking {
  readonly key?: string
  readonly headers?: Record<string, string>
}

/** Sends single requests of revision 2025-06-18, without the exchange that clients do first. */
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
