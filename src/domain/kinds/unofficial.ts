import type { KindOfNumber } from './kind.ts'

/** Numbers that are paired as a device, by a QR code. */
export const unofficial: KindOfNumber = {
  name: 'UNOFFICIAL',
  can: {
    pairing: true,
    calls: true,
    callAudio: true,
    callSdp: false,
    callPreAccept: false,
    callSettings: false,
    callPermissions: false,
    groups: true,
    newsletters: true,
    numberCheck: true,
    flows: false,
    mediaDownload: false,
    referrals: false,
    templateReview: false,
    nativeEvents: false,
    inboundEvents: true,
  },
  hasAccount: false,
  isStateless: false,
  knowsUserIds: false,
  windowMs: null,
}
