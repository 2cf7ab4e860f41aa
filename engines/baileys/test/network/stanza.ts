/** Building and reading of stanzas: what every file of the offline peer needs of the binary tree. */
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, S_WHATSAPP_NET } from 'baileys'

export type Attributes = Record<string, string | undefined>

/** Makes a stanza; attributes that are undefined are left out. */
export function stanza(tag: string, attributes: Attributes = {}, content?: BinaryNode['content']): BinaryNode {
  const attrs: Record<string, string> = {}
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) attrs[key] = value
  return content === undefined ? { tag, attrs } : { tag, attrs, content }
}

/** Makes the result of an info query. */
export function resultOf(query: BinaryNode, content?: BinaryNode[]): BinaryNode {
  return stanza('iq', { id: query.attrs['id'], type: 'result', from: query.attrs['to'] ?? S_WHATSAPP_NET }, content)
}

/** Makes the refusal of an info query; `code` as the network uses them (404, 403, 500...). */
export function refusalOf(query: BinaryNode, code: number, text: string): BinaryNode {
  const attributes = { id: query.attrs['id'], type: 'error', from: query.attrs['to'] ?? S_WHATSAPP_NET }
  return stanza('iq', attributes, [stanza('error', { code: String(code), text })])
}

/** Gives the first child of that tag. */
export const child = (node: BinaryNode | undefined, tag: string): BinaryNode | undefined =>
  getBinaryNodeChild(node, tag)

/** Gives all children of that tag. */
export const children = (node: BinaryNode | undefined, tag: string): BinaryNode[] => getBinaryNodeChildren(node, tag)

/** Gives the content of a stanza as bytes; empty when it has none. */
export function bytesOf(node: BinaryNode | undefined): Buffer {
  const content = node?.content
  if (content === undefined || Array.isArray(content)) return Buffer.alloc(0)
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
}

/** Gives the content of a stanza as text. */
export const textOf = (node: BinaryNode | undefined): string => bytesOf(node).toString()

/** The network's clock: whole seconds, as text. */
export const seconds = (at: number = Date.now()): string => String(Math.floor(at / 1000))
