import { SAMPLE } from '../samples.ts'

const SHOWN = { keyId: SAMPLE.keyId, keyLast4: SAMPLE.key.slice(-4), key: SAMPLE.key }

export const LIST = [
  { numberId: SAMPLE.numberId, number: SAMPLE.number, displayName: 'Front desk', ...SHOWN, revealable: true },
]
export const REPLACED = {
  numberId: SAMPLE.numberId,
  ...SHOWN,
  keyPrefix: SAMPLE.key.slice(0, 8),
  createdAt: SAMPLE.createdAt,
}

const OWN = {
  id: SAMPLE.keyId,
  name: 'Default',
  key: SAMPLE.key,
  keyPrefix: SAMPLE.key.slice(0, 8),
  keyLast4: SAMPLE.key.slice(-4),
  createdAt: SAMPLE.createdAt,
}
export const REGENERATED = {
  'Key of a number': { ...OWN, scope: 'NUMBER', channelNumberId: SAMPLE.numberId },
  'Key of the tenant': { ...OWN, scope: 'TENANT', channelNumberId: null },
}
