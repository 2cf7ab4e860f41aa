import { SAMPLE } from '../samples.ts'

const SETTINGS = {
  historyImportEnabled: false,
  ignoreNewsletters: false,
  webhookHistoricalMessages: false,
  rejectCall: null,
  msgRejectCall: null,
  alwaysOnline: null,
  readMessages: null,
  ignoreGroups: null,
  ignoreStatus: null,
}
const NUMBER = {
  id: SAMPLE.numberId,
  name: 'Front desk',
  number: SAMPLE.number,
  provider: SAMPLE.provider,
  state: 'OPEN',
  isFullyConnected: true,
  settings: SETTINGS,
  piiMode: 'STORE_INDEFINITE',
  piiRetentionDays: null,
  voice: null,
  marketing: null,
  calling: null,
  official: null,
  engine: {
    name: 'example-engine',
    version: '1.4.0',
    capabilities: ['text', 'media', 'groups', 'newsletters', 'stories', 'history', 'calls', 'callAudio'],
  },
  health: {
    qualityRating: null,
    messagingLimitTier: null,
    officialStatus: null,
    sendable: true,
    level: 'ok',
    code: null,
    text: null,
  },
  createdAt: SAMPLE.createdAt,
  updatedAt: SAMPLE.createdAt,
}
const OFFICIAL_NUMBER = {
  ...NUMBER,
  id: SAMPLE.officialNumberId,
  number: '15550001111',
  provider: SAMPLE.officialProvider,
  marketing: 'auto',
  calling: { status: 'ENABLED' },
  official: { phoneId: '106540352242922', accountId: '102290129340398', appId: '2050', hasAccessToken: true },
  engine: null,
  health: {
    qualityRating: 'GREEN',
    messagingLimitTier: 'TIER_10K',
    officialStatus: 'CONNECTED',
    sendable: true,
    level: null,
    code: null,
    text: null,
  },
}
const CLOSED = { ...NUMBER, state: 'CLOSE', isFullyConnected: false, health: { ...NUMBER.health, sendable: false } }
const API_KEY = { keyId: SAMPLE.keyId, key: SAMPLE.key, keyLast4: SAMPLE.key.slice(-4) }

export const CODE = {
  qrcodeBase64: 'data:image/png;base64,iVBORw0KGgo...',
  pairingCode: 'ABCD-1234',
  expiresInMs: 20_000,
}

export const CREATE = {
  'As it is': { name: 'Front desk', number: '+55 11 98888-7777' },
  'With settings': {
    name: 'Front desk',
    number: '+55 11 98888-7777',
    settings: { rejectCall: true, msgRejectCall: 'Please write to us instead.', ignoreGroups: true },
    piiMode: 'STORE_X_DAYS',
    piiRetentionDays: 30,
  },
}
export const CREATED = {
  ...CLOSED,
  engine: null,
  health: { ...CLOSED.health, level: null },
  state: 'CONNECTING',
  qrcodeBase64: CODE.qrcodeBase64,
  pairingCode: CODE.pairingCode,
  apiKey: API_KEY,
}
export const CREATE_OFFICIAL = {
  name: 'Front desk',
  number: '+1 555 000 1111',
  officialPhoneId: '106540352242922',
  officialAccountId: '102290129340398',
  officialAccessToken: 'EAAB...',
  officialAppId: '2050',
  officialAppSecret: '0123456789abcdef0123456789abcdef',
}
export const CREATED_OFFICIAL = {
  ...OFFICIAL_NUMBER,
  apiKey: API_KEY,
  webhookUrl: `https://api.example.com/webhooks/official/${SAMPLE.officialNumberId}`,
  verifyToken: 'c2hvd24gb25jZQ',
}
export const LIST = [NUMBER, OFFICIAL_NUMBER]
export const READ = { 'UNOFFICIAL number': NUMBER, 'OFFICIAL number': OFFICIAL_NUMBER }
export const CONNECTION = { state: 'OPEN', isFullyConnected: true }
export const LIMITS = {
  'OFFICIAL number': {
    perSecond: 80,
    perDay: 2_000,
    used: 314,
    resetsAt: '2026-01-06T09:30:00.000Z',
    source: 'upstream',
  },
  'UNOFFICIAL number': { perSecond: 20, perDay: null, used: null, resetsAt: null, source: 'default' },
}
export const CHANGED = {
  ...NUMBER,
  settings: { ...SETTINGS, rejectCall: true, msgRejectCall: 'Please write to us instead.' },
  voice: {
    connectTo: 'wss://bot.example.com/calls',
    headerNames: ['authorization'],
    dialect: 'twilio',
    rate: null,
    parameters: { line: 'front desk' },
    answer: 'accept',
    onUnreachable: 'ring',
    onDisconnect: 'hangup',
    record: false,
  },
}
export const CHANGE = {
  'Decline calls': { settings: { rejectCall: true, msgRejectCall: 'Please write to us instead.' } },
  'Set a setting back': { settings: { rejectCall: null } },
  'Answer calls by a voice bot': {
    voice: {
      connectTo: 'wss://bot.example.com/calls',
      headers: { authorization: 'Bearer of-your-bot' },
      dialect: 'twilio',
      parameters: { line: 'front desk' },
      answer: 'accept',
      onUnreachable: 'ring',
    },
  },
  'Ring in the apps again': { voice: null },
  'Send marketing templates as all other messages': { marketing: 'messages' },
  'Another name': { name: 'Sales' },
  'Keep personal data for 30 days': { piiMode: 'STORE_X_DAYS', piiRetentionDays: 30 },
}
export const LOGGED_OUT = CLOSED
export const DELETED = { deleted: true, id: SAMPLE.numberId }
