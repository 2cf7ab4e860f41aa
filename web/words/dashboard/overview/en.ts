/** English words of the overview; the other languages have the same keys. */
export const words = {
  heading: 'Overview',
  numbers: 'Numbers',
  states: { OPEN: 'connected', CONNECTING: 'connecting', CLOSE: 'not connected' },
  liveCalls: 'Calls now',
  steps: 'First steps',
  allDone: 'All first steps are done.',
  next: 'Next step',
  done: 'done',
  open: 'to do',
  step: {
    numberConnected: {
      name: 'Connect a number',
      text: 'Add a number, and scan its code with the phone, or enter its credentials.',
    },
    messageSent: { name: 'Send a message', text: 'One call of the API sends the first message.' },
    webhookDelivered: { name: 'Receive an event', text: 'Add a webhook, and send it a test event.' },
    callPlaced: { name: 'Place a call', text: 'Call from here, or by the API.' },
    brandingSet: { name: 'Set your brand', text: 'Name, logo and colours of the pages that your customers see.' },
    embedMinted: { name: 'Embed the inbox', text: 'Put the chat inbox into a page of yours.' },
  },
  failing: 'Webhooks that fail',
  failed: (count: number) =>
    count === 1 ? '1 delivery failed in the last 24 hours' : `${count} deliveries failed in the last 24 hours`,
  sandbox: 'Sandbox',
  sandboxText: 'Upstreams are simulated here: phones that pair, peers that write and call.',
  sandboxOpen: 'Open the sandbox',
}
