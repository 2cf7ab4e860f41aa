const SETTINGS = {
  historyImportEnabled: true,
  ignoreNewsletters: false,
  webhookHistoricalMessages: false,
  rejectCall: null,
  msgRejectCall: null,
  alwaysOnline: true,
  readMessages: false,
  ignoreGroups: null,
  ignoreStatus: null,
}
const HEALTH = {
  qualityRating: null,
  messagingLimitTier: null,
  officialStatus: null,
  sendable: true,
  level: null,
  code: null,
  text: null,
}

/** A number that is paired by QR, and has no phone. */
export const PAIRED = {
  id: 'num_1',
  name: 'Front desk <b>',
  number: '5511999990001',
  provider: 'UNOFFICIAL',
  state: 'CLOSE',
  isFullyConnected: false,
  settings: SETTINGS,
  piiMode: 'STORE_INDEFINITE',
  piiRetentionDays: null,
  voice: null,
  calling: null,
  official: null,
  engine: null,
  health: HEALTH,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
}

/** A number of the official platform whose calls are not enabled yet. */
export const OFFICIAL = {
  ...PAIRED,
  id: 'num_2',
  name: 'Vendas',
  number: '5511999990002',
  provider: 'OFFICIAL',
  state: 'OPEN',
  isFullyConnected: true,
  calling: { status: 'PENDING_TIER' },
  official: { phoneId: '1037543291543636', accountId: '2', appId: null, hasAccessToken: true },
  health: { ...HEALTH, qualityRating: 'GREEN', messagingLimitTier: 'TIER_250', officialStatus: 'CONNECTED' },
}

/** A one-pixel PNG in place of a QR code. */
export const QR =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
