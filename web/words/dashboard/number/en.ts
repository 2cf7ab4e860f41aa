import { words as numbers } from '../numbers/en.ts'

/** English words of one number; the other languages have the same keys. */
export const words = {
  ...numbers,
  loading: 'Number',
  above: 'All numbers',
  facts: { id: 'Id', number: 'Phone number', kind: 'Kind', state: 'State', calling: 'Calls', created: 'Added' },
  stateTexts: {
    OPEN: 'Messages and calls go through.',
    LOADING: 'The phone is connected, and its data is still coming in.',
    CONNECTING: 'The connection is being made.',
    CLOSE: {
      paired: 'No phone is connected. Connect one by a code, or send a connect link to whoever holds the phone.',
      account: 'The official platform does not take requests for this number. Check its credentials below.',
    },
  },
  callingTexts: {
    paired: 'Calls go through while the phone is connected.',
    ENABLED: 'Calls are enabled at the official platform.',
    NOT_ENABLED: 'Calls are not enabled at the official platform.',
    PENDING_TIER:
      'The official platform allows calls from a messaging limit of 2,000 a day on. Send to more people to raise the limit; the service enables calls once it rises.',
    PENDING_WEBHOOK:
      'The app at the official platform does not subscribe to the field calls. The service subscribes to it and tries again; if this stays, subscribe to calls in the settings of the app.',
  },
  enable: {
    label: 'Enable calls now',
    done: 'Calls are enabled.',
    waits: 'The official platform does not allow calls yet. The number says what it waits for.',
  },
  health: {
    heading: 'Standing',
    quality: 'Quality',
    tier: 'Messaging limit',
    status: 'Status upstream',
    sendable: 'May send',
    yes: 'yes',
    no: 'no',
    unknown: 'not known',
    level: 'Rating of the device network',
    levels: { ok: 'good', warning: 'warned', restricted: 'restricted' },
  },
  connectHeading: 'Connect the phone',
  actions: {
    connect: 'Connect',
    hide: 'Hide the code',
    copyLink: 'Copy a connect link',
    logout: 'Disconnect',
    delete: 'Remove',
  },
  link: {
    heading: 'Connect link',
    text: 'Whoever opens it can connect their phone as this number. It works for 24 hours and once; a newer one ends it.',
    copied: 'The link is copied.',
  },
  logout: {
    heading: 'Disconnect this number?',
    text: 'The phone is signed out, and has to scan a code to connect again. Messages and settings stay.',
    done: 'The number is disconnected.',
  },
  remove: {
    heading: 'Remove this number?',
    text: 'Its calls end, its key stops at once, its webhooks are removed, and its messages can not be read any more. This cannot be undone.',
    done: (name: string) => `${name} is removed.`,
  },
  settings: {
    heading: 'Settings',
    name: 'Name',
    default: 'As the provider does by default',
    on: 'Yes',
    off: 'No',
    historyImportEnabled: 'Import the history of the phone when it connects',
    historyHint: 'The phone sends its history once, when it is paired: this counts for the next pairing.',
    webhookHistoricalMessages: 'Deliver imported history to webhooks',
    ignoreNewsletters: 'Drop posts of newsletters',
    rejectCall: 'Decline incoming calls',
    msgRejectCall: 'Message to whoever was declined',
    msgRejectCallHint: 'Empty: none is sent.',
    alwaysOnline: 'Always shown as online',
    readMessages: 'Mark messages as read on arrival',
    ignoreGroups: 'Ignore groups',
    ignoreStatus: 'Ignore stories',
    official: 'The settings of phones do not apply to official numbers.',
  },
  privacy: {
    heading: 'Privacy',
    mode: 'Keep personal data',
    modes: {
      STORE_INDEFINITE: 'For as long as the number is there',
      STORE_X_DAYS: 'For some days',
      RELAY_ONLY: 'Not at all: relay only',
    },
    texts: {
      STORE_INDEFINITE: 'Messages, files and names stay until the number is removed.',
      STORE_X_DAYS:
        'Whatever is older is shown no more from the moment you save, and deleted within the hour: contents, files, addresses and names.',
      RELAY_ONLY:
        'What is stored now loses its contents, files, addresses and names. From then on, events carry them once, and nothing of them is kept.',
    },
    days: 'Days',
  },
  credentials: {
    heading: 'Credentials of the official platform',
    text: 'They are checked at the platform before they are stored, and never shown. Empty fields stay as they are.',
    phoneId: 'Phone number id',
    accountId: 'Business account id',
    appId: 'App id',
    save: 'Check and save',
    saved: 'The credentials are stored.',
  },
}
