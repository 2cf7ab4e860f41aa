import { createHmac } from 'node:crypto'

/**
 * The bearer token of the device bridge where none is configured: the engines of a fleet and its gateways derive the
 * same one from the internal secret that they share, and it reveals nothing of that.
 */
export function bridgeTokenOf(internalSecret: string): string {
  return createHmac('sha256', internalSecret).update('device bridge of a fleet').digest('base64url')
}
