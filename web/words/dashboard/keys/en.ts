/** English words of the keys; the other languages have the same keys. */
export const words = {
  heading: 'Keys',
  tenant: {
    heading: 'Key of the account',
    text: 'It manages numbers, webhooks, people and branding, and acts as an owner. It sends no messages.',
    none: 'The account has none yet.',
    created: 'Made',
    rotate: 'Replace it',
    ask: 'Replace the key of the account?',
    warning:
      'The old key stops at once, whatever uses it. All other sessions of the account that were opened by key or link end.',
    shown: 'New key of the account',
  },
  numbers: {
    heading: 'Keys of numbers',
    text: 'Each number has one key. It sends and reads for that number alone.',
    none: 'There is no number yet, and so no key of one.',
    name: 'Number',
    key: 'Key',
    ends: (last4: string) => `ends in ${last4}`,
    legacy: 'It was made before keys could be shown. Replace it to see one.',
    reveal: 'Show',
    hide: 'Hide',
    rotate: 'Replace',
    ask: (name: string) => `Replace the key of ${name}?`,
    warning: 'The old key stops at once, whatever uses it.',
    shown: (name: string) => `New key of ${name}`,
  },
}
