import type { BinaryNode } from 'baileys'
import type { StanzaPart } from '../store/stanza-part.ts'

/** The readable parts of a message stanza, each with its bytes. */
export function partsOf(node: BinaryNode): readonly { part: StanzaPart; bytes: Uint8Array }[] {
  if (node.tag !== 'message' || !Array.isArray(node.content)) return []
  const readable = node.content.filter(
    (child) => (child.tag === 'enc' || child.tag === 'plaintext') && child.content instanceof Uint8Array,
  )
  return readable.map((child, part) => ({
    part: {
      attrs: { ...node.attrs },
      part,
      parts: readable.length,
      type: child.tag === 'plaintext' ? 'plaintext' : (child.attrs['type'] ?? ''),
    },
    bytes: child.content as Uint8Array,
  }))
}

/**
 * The name of the sent message that the network answers with this stanza, accepted or refused; null when it is no such
 * answer.
 */
export function answeredId({ tag, attrs }: BinaryNode): string | null {
  return tag === 'ack' && attrs['class'] === 'message' ? (attrs['id'] ?? null) : null
}

/**
 * Names of sent messages that a stanza shows to have gone out: by receipts of any kind, and by acknowledgements without
 * an error.
 */
export function arrivedIds({ tag, attrs, content }: BinaryNode): readonly string[] {
  const isProof = tag === 'receipt' || (tag === 'ack' && attrs['class'] === 'message' && attrs['error'] === undefined)
  if (!isProof || attrs['id'] === undefined) return []
  const lists = Array.isArray(content) ? content.filter((child) => child.tag === 'list') : []
  const items = lists.flatMap((list) => (Array.isArray(list.content) ? list.content : []))
  return [attrs['id'], ...items.flatMap((item) => item.attrs['id'] ?? [])]
}
