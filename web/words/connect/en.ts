/** English words of the connect page; the other languages have the same keys. */

/** The words around a pairing code. */
export const pairing = {
  qrHeading: 'Scan the code with your phone',
  codeHeading: 'Type the code on your phone',
  qrLabel: 'QR code to scan with your phone',
  /** Three steps each: open, find, and scan or type. Text between asterisks appears on the phone. */
  qrSteps: [
    'Open the chat app on the phone with this number',
    'In *Settings*, choose *Linked devices*',
    'Tap *Link a device* and point the camera at the code',
  ],
  codeSteps: [
    'Open the chat app on the phone with this number',
    'In *Settings*, choose *Linked devices*, then *Link a device*',
    'Tap *Link with phone number* and type the code',
  ],
  newCodeIn: (time: string) => `New code in ${time}`,
  newCodeComing: 'Getting a new code…',
  newCodeShown: 'A new code is shown',
  showQr: 'Scan a QR code instead',
  showCode: 'Type a code instead',
  copy: 'Copy code',
  copied: 'Copied',
  notCopied: 'Not copied: your browser refused',
}

/** The words of the connect page itself. */
export const connect = {
  button: 'Connect',
  endingIn: (digits: string) => `ending in ${digits}`,
  preview: 'A preview: this code connects nothing',
  connects: 'You are connecting',
  loading: { heading: 'Getting your code' },
  ready: {
    heading: 'Ready to connect',
    text: 'Have your phone at hand. The code shows as soon as you start.',
    start: 'Start',
  },
  linking: {
    heading: 'Phone accepted, finishing',
    text: 'Keep the chat app open on your phone for a few more seconds.',
  },
  passkey: {
    heading: 'Confirm with your passkey',
    text: 'Your phone asks for a passkey before it links a device. Confirm it there, and this page goes on by itself.',
    back: 'Nothing on your phone? Go back and link with a new code.',
  },
  connected: { heading: 'Connected', text: 'Your number is linked. You can close this page.' },
  alreadyConnected: { heading: 'Already connected', text: 'This number is linked. There is nothing left to do here.' },
  paused: {
    heading: 'The codes ran out',
    text: 'Codes are shown for a few minutes only. Show a new one once your phone is at hand.',
  },
  expired: { heading: 'This link has expired', text: 'Links work for 24 hours. Ask whoever sent it for a new one.' },
  revoked: {
    heading: 'This link was replaced',
    text: 'There is a newer link for this number. Use that one, or ask for another.',
  },
  invalid: {
    heading: 'This link does not work',
    text: 'Check that the whole address was copied, or ask for a new link.',
  },
  offline: { heading: 'You are offline', text: 'This page goes on by itself once you are connected again.' },
  failed: {
    SERVER: { heading: 'Something went wrong on our side', text: 'We are trying again by ourselves.' },
    BUSY: { heading: 'Too many tries', text: 'We are trying again in a moment.' },
    SLOW: { heading: 'This takes longer than it should', text: 'We are still trying.' },
    ENDED: { heading: 'The connection was interrupted', text: 'We are getting a new code.' },
    WRONG_NUMBER: {
      heading: 'That was another phone',
      text: 'The phone that scanned the code has a different number. Use the phone with this number.',
    },
    BANNED: {
      heading: 'This number is blocked',
      text: 'The chat app refuses this number. Settle that in the app on your phone first.',
    },
  },
  newCode: 'Show a new code',
  retry: 'Try again',
  continue: 'Continue',
  goBack: 'Go back',
  stay: 'Stay here',
  takenOnIn: (seconds: number) => `You are taken back in ${seconds} s`,
  onPhone: {
    heading: 'Open on your phone',
    text: 'Point the camera of your phone at the code, not the chat app: the same page opens there, with a code to type. Whoever has this code can use your link.',
    label: 'QR code with the address of this page',
    close: 'Close',
  },
  help: 'Get help',
  newWindow: '(opens in a new window)',
  poweredBy: (name: string) => `Powered by ${name}`,
}
