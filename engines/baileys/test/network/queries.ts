/** The table of info queries, from name space to answer. A name space that is not listed gets an empty result. */
import type { BinaryNode } from 'baileys'
import { answerAppState, answerMediaConnection, answerPrivacy, answerUsync } from './account-queries.ts'
import type { Device, Directory } from './directory.ts'
import { answerKeys } from './keys-queries.ts'
import { child, refusalOf, resultOf, stanza } from './stanza.ts'

export type QueryPorts = {
  directory: Directory
  known(number: string): Device['account'] | undefined
  mediaHost(): string
  /** The device asks for its messages, so it is ready. */
  onActive(device: Device): void
  /** The device logs itself out. */
  onRemove(device: Device): void
  groups(device: Device, query: BinaryNode): BinaryNode
  newsletters(device: Device, query: BinaryNode): BinaryNode
}

type Answer = (ports: QueryPorts, device: Device, query: BinaryNode) => BinaryNode

const ANSWERS: Record<string, Answer> = {
  encrypt: ({ directory }, device, query) => answerKeys(directory, device, query),
  usync: ({ directory, known }, _device, query) => answerUsync(directory, known, query),
  privacy: (_ports, _device, query) => answerPrivacy(query),
  'w:sync:app:state': (_ports, _device, query) => answerAppState(query),
  'w:m': ({ mediaHost }, _device, query) => answerMediaConnection(mediaHost(), query),
  'w:g2': ({ groups }, device, query) => groups(device, query),
  'w:mex': ({ newsletters }, device, query) => newsletters(device, query),
  newsletter: ({ newsletters }, device, query) => newsletters(device, query),
  abt: (_ports, _device, query) => resultOf(query, [stanza('props', { hash: 'offline', refresh: '86400' })]),
  blocklist: (_ports, _device, query) => resultOf(query, [stanza('list', {}, [])]),
  'w:profile:picture': (_ports, _device, query) => refusalOf(query, 404, 'item-not-found'),
  passive: (ports, device, query) => {
    if (child(query, 'active')) setImmediate(() => ports.onActive(device))
    return resultOf(query)
  },
  md: (ports, device, query) => {
    if (child(query, 'remove-companion-device')) setImmediate(() => ports.onRemove(device))
    return resultOf(query)
  },
}

/** Answers an info query of a logged-in device; undefined for what is itself an answer. */
export function answerQuery(ports: QueryPorts, device: Device, query: BinaryNode): BinaryNode | undefined {
  if (query.attrs['type'] === 'result' || query.attrs['type'] === 'error') return undefined
  const answer = ANSWERS[query.attrs['xmlns'] ?? '']
  return answer ? answer(ports, device, query) : resultOf(query)
}
