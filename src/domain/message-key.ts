/**
 * The key that a message has in all ids by which upstream names it ([identities.looking-up.3]).
 *
 * An id of the official platform is `wamid.` and, in base64, a struct in Thrift's compact protocol: field 1 is a struct
 * of whom the message was exchanged with (a number, or a user id where the user hides the number) and of which of the
 * two that is, field 2 tells whether the business wrote it, field 3 is the key. So one message has several ids. The
 * platform documents none of this; ids in its own examples and in public reports have this form. What is no such id, as
 * an id of the device network, is its own key.
 */
export function messageKey(id: string): string {
  if (!id.startsWith(PREFIX) || id.length > MOST) return id
  const bytes = bytesOf(id.slice(PREFIX.length))
  const key = bytes && keyIn(bytes)
  return key !== null && KEY.test(key) ? key : id
}

const PREFIX = 'wamid.'
/** Our choice, in characters: longer than any id that upstream is known to give. */
const MOST = 512
/** Keys are made by phones and by upstream: hexadecimal digits so far. Our choice: anything in ASCII without spaces. */
const KEY = /^[\x21-\x7e]{8,128}$/

/** The bytes as characters of one byte each, or null when the text is no base64. */
function bytesOf(text: string): string | null {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return null
  }
}

/** Types of fields in the compact protocol, the low half of a field's first byte. */
const [TRUE, FALSE, BYTE, I16, I64, BINARY, STRUCT] = [1, 2, 3, 4, 6, 8, 12]
/** The field that holds the key. */
const KEY_FIELD = 3
/** Our choice: a struct in a struct is as deep as ids are known to go. */
const DEEPEST = 4

/** Finds the key in the bytes of an id; null when they are no such struct. */
function keyIn(bytes: string): string | null {
  const reader = new Reader(bytes)
  const found = reader.struct(KEY_FIELD, 0)
  return reader.isBroken ? null : found
}

/** Reads the compact protocol, as far as ids use it. Reading past the end, or anything else, breaks it for good. */
class Reader {
  isBroken = false
  #bytes: string
  #at = 0

  constructor(bytes: string) {
    this.#bytes = bytes
  }

  /** Reads a struct to its end; gives the text of field `wanted`, or null when it has none. */
  struct(wanted: number, depth: number): string | null {
    let found: string | null = null
    let field = 0
    for (;;) {
      const head = this.#byte()
      if (this.isBroken || head === 0) return found
      // The high half is the step from the field before; 0 means that the field's number follows.
      field = head >> 4 === 0 ? this.#varint() >> 1 : field + (head >> 4)
      const text = this.#value(head & 15, depth)
      if (field === wanted && depth === 0) found = text
    }
  }

  #value(type: number, depth: number): string | null {
    if (type === BINARY) return this.#text(this.#varint())
    if (type === STRUCT && depth < DEEPEST) this.struct(0, depth + 1)
    else if (type === BYTE) this.#byte()
    else if (type >= I16 && type <= I64) this.#varint()
    else if (type !== TRUE && type !== FALSE) this.isBroken = true
    return null
  }

  #byte(): number {
    if (this.#at < this.#bytes.length) return this.#bytes.charCodeAt(this.#at++)
    this.isBroken = true
    return 0
  }

  /** A number in groups of seven bits, the lowest first. Its low 32 bits count: ids hold no larger one that matters. */
  #varint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte()
      if (shift < 32) value |= (byte & 127) << shift
      if (byte < 128) return value >>> 0
    }
  }

  #text(length: number): string | null {
    const end = this.#at + length
    if (end > this.#bytes.length) {
      this.isBroken = true
      return null
    }
    const text = this.#bytes.slice(this.#at, end)
    this.#at = end
    return text
  }
}
