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
    edits: true,
    revocations: true,
    typing: true,
    flows: false,
    contactRequests: false,
    polls: true,
    mediaDownload: false,
    referrals: false,
    templateReview: false,
    nativeEvents: false,
    inboundEvents: true,
  },
  hasAccount: false,
  isStateless: false,
  knows: ['PHONE', 'LID'],
  windowMs: null,
  sends: {
    // our choice: one message a second to a recipient, and 20 a second of a number, since a device that sends faster is
    // soon banned.
    number: { atOnce: 5, everyMs: 50 },
    pair: { atOnce: 1, everyMs: 1_000 },
    isDeduplicated: true,
    throttledCode: null,
  },
  buttons: {
    labelLength: null,
    textLength: null,
    areMixed: true,
    cardTypes: ['QUICK_REPLY', 'URL'],
    cardsAlike: null,
  },
  media: {
    takesWebp: true,
    isRgbOnly: false,
    videos: { 'video/mp4': 'never', 'video/3gpp': 'never', 'video/quicktime': 'never', 'video/webm': 'never' },
    videoTypes: 'MP4, 3GP, MOV or WebM',
    convertibleBytes: null,
    takesVideoDocuments: true,
    tooLargeCode: 'MEDIA_TOO_LARGE',
  },
  templates: { owner: 'NUMBER', source: 'LOCAL' },
}
