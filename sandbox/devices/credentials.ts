import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/** A linked device: what a scan creates and a logout revokes. */
export interface Device {
  readonly deviceId: string
  /** Digits of the gateway number it is linked to. */
  readonly number: string
}

/**
 * Mints and checks pairing credentials. They are signed and not stored, so that a gateway stays paired over a restart
 * of the sandbox; revocations last as long as the process.
 */
export interface Credentials {
  mint(number: string): { readonly device: Device; readonly text: string }
  /** Null for anything not minted with this key, revoked, or of another number. */
  verify(text: string, number: string): Device | null
  revoke(device: Device): void
}

function isDevice(value: unknown): value is Device {
  return (
    typeof value === 'object'
    && value !== null
    && 'deviceId' in value
    && typeof value.deviceId === 'string'
    && 'number' in value
    && typeof value.number === 'string'
  )
}

function parseDevice(payload: string): Device | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return isDevice(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Makes the credentials of one sandbox. Without a bridge token the key is a fixed one, because there is nothing to
 * protect.
 */
export function createCredentials(bridgeToken: string | null): Credentials {
  const key = createHmac('sha256', bridgeToken ?? 'sandbox')
    .update('device credentials')
    .digest()
  const revoked = new Set<string>()

  function sign(payload: string): Buffer {
    return createHmac('sha256', key).update(payload).digest()
  }

  return {
    mint(number) {
      const device = { deviceId: randomUUID(), number }
      const payload = Buffer.from(JSON.stringify(device)).toString('base64url')
      return { device, text: `${payload}.${sign(payload).toString('base64url')}` }
    },
    verify(text, number) {
      const [payload = '', signature = ''] = text.split('.')
      const shown = Buffer.from(signature, 'base64url')
      const expected = sign(payload)
      if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return null
      const device = parseDevice(payload)
      return device && device.number === number && !revoked.has(device.deviceId) ? device : null
    },
    revoke(device) {
      revoked.add(device.deviceId)
    },
  }
}
