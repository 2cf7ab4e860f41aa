import { SERVICE_WINDOW_MS } from '../limits.ts'
import type { KindOfNumber } from './kind.ts'

/** Numbers of the official platform's cloud API: connected with ids and a token of an account. */
export const official: KindOfNumber = {
  name: 'OFFICIAL',
  can: {
    pairing: false,
    calls: true,
    callAudio: false,
    callSdp: true,
    callPreAccept: true,
    callSettings: true,
    callPermissions: true,
    groups: false,
    newsletters: false,
    numberCheck: false,
    flows: true,
    mediaDownload: true,
    referrals: true,
    templateReview: true,
    nativeEvents: true,
    inboundEvents: false,
  },
  hasAccount: true,
  isStateless: true,
  knowsUserIds: true,
  windowMs: SERVICE_WINDOW_MS,
}
