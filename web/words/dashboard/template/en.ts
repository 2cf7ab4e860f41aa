import { words as form } from '../template-form/en.ts'
import { words as list } from '../templates/en.ts'

/** English words of the page of a template; the other languages have the same keys. */
export const words = {
  list,
  form,
  heading: 'Template',
  above: 'All templates',
  status: 'State',
  meanings: {
    APPROVED: 'It may be sent.',
    USABLE: 'It may be sent: templates of this number are reviewed by nobody.',
    PENDING: 'It is under review, for minutes up to a day. It may be sent once it is approved.',
    REJECTED: 'It may not be sent. Change what the reason names and submit it again, or delete it.',
    DISABLED:
      'It may not be sent now. A paused one comes back by itself; a disabled one was blocked or reported too often.',
  },
  unsendable: 'Parts of it cannot be sent by this service:',
  reason: 'Reason',
  quality: 'Quality',
  qualities: { GREEN: 'Good', YELLOW: 'Middling', RED: 'Poor', UNKNOWN: 'Not known yet' },
  category: 'Category',
  correct: (category: string) => `It is about to become ${category}.`,
  language: 'Language',
  id: 'Id',
  changed: 'Changed',
  check: 'Ask for its state now',
  preview: {
    heading: 'As a phone shows it',
    text: 'Filled with the values beside it; the examples at first.',
    label: 'The message',
    show: 'Show with these values',
    header: { IMAGE: 'Image', VIDEO: 'Video', DOCUMENT: 'Document' },
    noText: 'No text',
    card: (place: number, of: number) => `Card ${place} of ${of}`,
    button: 'Button',
  },
  remove: {
    action: 'Delete',
    ask: (name: string) => `Delete ${name}?`,
    warning: 'Messages that wait are not stopped. Where it is reviewed, its name cannot be used again for 30 days.',
  },
  codes: {
    OFFICIAL_ERROR: 'The network refused:',
    OFFICIAL_THROTTLED: 'The network takes no more requests now. Try again in a minute.',
    TEMPLATE_NAME_AMBIGUOUS: 'Several languages have this name. Open one from the list.',
    TEMPLATE_NOT_FOUND: 'This number has no such template. It may belong to another number, or be deleted.',
  },
}
