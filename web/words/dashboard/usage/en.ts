/** English words of usage and health; the other languages have the same keys. */
export const words = {
  heading: 'Usage and health',
  attention: {
    heading: 'Needs attention now',
    none: 'Nothing needs attention.',
    webhookOff: { GONE: 'switched off: its address is gone', FAILING: 'switched off: it failed for too long' },
    webhookFails: (count: number) =>
      count === 1 ? '1 delivery failed in the last 24 hours' : `${count} deliveries failed in the last 24 hours`,
    webhook: 'Webhook',
    states: { CLOSE: 'is not connected', CONNECTING: 'is connecting' },
    levels: { warning: 'was warned by the device network', restricted: 'is restricted by the device network' },
    notSendable: 'can send nothing now: upstream does not take its messages',
    status: (status: string) => `has the status ${status} upstream`,
    quality: (rating: string) => `has the quality ${rating} upstream`,
    callsWait: 'cannot call yet: upstream does not deliver its calls',
    templates: 'Templates',
    rejected: (count: number) => (count === 1 ? '1 template was rejected' : `${count} templates were rejected`),
    disabled: (count: number) =>
      count === 1 ? '1 template is paused or disabled' : `${count} templates are paused or disabled`,
  },
  standing: {
    heading: 'Numbers',
    none: 'No number yet.',
    number: 'Number',
    state: 'State',
    quality: 'Quality',
    limit: 'Messaging limit',
    states: {
      OPEN: 'Connected',
      CONNECTING: 'Connecting',
      CLOSE: 'Not connected',
      LOADING: 'Connected, still loading',
    },
    levels: { ok: 'good', warning: 'warned', restricted: 'restricted' },
    noQuality: 'No rating',
    noLimit: 'No limit told',
  },
}
