import type { ChannelNumber } from '../../../domain/number.ts'

/** The connection of the key's own number (contract 3). */
export function presentStatus(number: ChannelNumber) {
  return {
    numberId: number.id,
    provider: number.provider,
    state: number.state,
    isFullyConnected: number.isFullyConnected,
  }
}

export function presentSubscription(usage: {
  readonly plan: string
  readonly maxNumbers: number | null
  readonly usedNumbers: number
}) {
  return { plan: usage.plan, maxNumbers: usage.maxNumbers, usedNumbers: usage.usedNumbers }
}
