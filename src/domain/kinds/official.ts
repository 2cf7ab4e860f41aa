import { DOCUMENT_BYTES, SERVICE_WINDOW_MS } from '../limits.ts'
import { INTERACTIVE_TEXT_LENGTH, OFFICIAL_LABEL_LENGTH } from '../send-body.ts'
import { REVIEWED } from '../template.ts'
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
    edits: false,
    revocations: false,
    typing: true,
    flows: true,
    contactRequests: true,
    polls: false,
    mediaDownload: true,
    referrals: true,
    templateReview: true,
    nativeEvents: true,
    inboundEvents: false,
  },
  hasAccount: true,
  isStateless: true,
  knows: ['PHONE', 'USER_ID'],
  windowMs: SERVICE_WINDOW_MS,
  sends: {
    // Upstream documents 80 messages a second per number (more answers 130429), and per recipient 45 at once, then one
    // per 6 s (more answers 131056). our choice: in bursts of 8, so that the first second stays near 80 too.
    number: { atOnce: 8, everyMs: 12.5 },
    pair: { atOnce: 45, everyMs: 6_000 },
    isDeduplicated: false,
    throttledCode: 'OFFICIAL_RATE_LIMITED',
  },
  buttons: {
    labelLength: OFFICIAL_LABEL_LENGTH,
    textLength: INTERACTIVE_TEXT_LENGTH,
    areMixed: false,
    cardTypes: ['QUICK_REPLY'],
    // Upstream: the same number of buttons on each card, at least one, and 2 line breaks in its text.
    cardsAlike: { lineBreaks: 2 },
  },
  media: {
    takesWebp: false,
    isRgbOnly: true,
    // The types of [media.sending.9], and others that a phone or a browser records (our choice). `3gpp` and `mp4` are
    // played as they are.
    videos: {
      'video/mp4': 'unless-fit',
      'video/3gpp': 'unless-fit',
      'video/quicktime': 'always',
      'video/webm': 'always',
      'video/x-matroska': 'always',
      'video/x-msvideo': 'always',
    },
    videoTypes: 'MP4, 3GP, MOV, WebM, MKV or AVI',
    // Our choice: as large as a document may be.
    convertibleBytes: DOCUMENT_BYTES,
    takesVideoDocuments: false,
    tooLargeCode: 'OFFICIAL_MEDIA_TOO_LARGE',
  },
  templates: { owner: 'ACCOUNT', source: REVIEWED },
}
