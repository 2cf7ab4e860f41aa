import { URL_LENGTH } from './send-order.ts'

/** The head of a data URI: a media type, parameters, base64 (RFC 2397). */
const DATA_HEAD = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[\w.+"-]+)*;base64,/i
/** Our choice: heads are short; a long text is not searched for one. */
const HEAD_LENGTH = 256

export function isDataUri(text: string): boolean {
  return /^data:/i.test(text)
}

/** An address on the web. Whether it may be reached is the guard's to say. */
export function isWebUrl(text: string): boolean {
  return text.length <= URL_LENGTH && /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** Where media may come from (contract 4). The bytes of a data URI are looked at when they are kept. */
export function isMediaSource(text: string): boolean {
  return isDataUri(text) ? DATA_HEAD.test(text.slice(0, HEAD_LENGTH)) : isWebUrl(text)
}
