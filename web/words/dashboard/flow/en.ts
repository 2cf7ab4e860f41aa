import { words as list } from '../flows/en.ts'

/** English words of the page of a Flow; the other languages have the same keys. */
export const words = {
  list,
  heading: 'Flow',
  above: 'All Flows',
  meanings: {
    DRAFT: 'It can be changed, and sent to testers alone.',
    PUBLISHED: 'It can be sent. To change it, make a copy.',
    DEPRECATED: 'It cannot be sent any more; what was sent before still opens.',
    THROTTLED: 'Its endpoint fails too often, so it may be sent a few times an hour only.',
    BLOCKED: 'Its endpoint fails, so it cannot be sent until that is mended.',
  },
  notUp: 'The network has not taken it:',
  health: 'Health',
  healths: { AVAILABLE: 'Can be sent', LIMITED: 'Limited', BLOCKED: 'Blocked', UNKNOWN: 'Not known' },
  id: 'Id',
  preview: 'See it in the preview (opens a new window)',
  acts: {
    publish: {
      action: 'Publish',
      ask: (name: string) => `Publish ${name}?`,
      warning: 'A published Flow cannot be changed or deleted any more.',
    },
    deprecate: {
      action: 'Deprecate',
      ask: (name: string) => `Deprecate ${name}?`,
      warning: 'It cannot be sent any more, and this cannot be taken back.',
    },
    delete: {
      action: 'Delete',
      ask: (name: string) => `Delete ${name}?`,
      warning: 'The draft and its document are lost.',
    },
  },
  document: {
    heading: 'Document',
    field: 'The screens, as JSON',
    save: 'Save the document',
    wrong: 'The network finds this wrong with it:',
    line: (line: number) => `Line ${line}:`,
    noJson: (line: number) => `Line ${line} is not JSON.`,
  },
  answers: {
    heading: 'Answers',
    none: 'Nobody has answered it yet, or the privacy of the number keeps no answers.',
    name: 'Name',
    from: 'From',
    answer: 'Answer',
    at: 'Time',
  },
  codes: {
    FLOW_NOT_FOUND: 'This number has no such Flow. It may belong to another number, or be deleted.',
    FEATURE_NOT_SUPPORTED: 'Only official numbers have Flows.',
    FLOW_JSON_INVALID: 'It is saved as the draft, but the network finds it wrong; see above.',
    OFFICIAL_ERROR: 'The network refused:',
    OFFICIAL_THROTTLED: 'The network takes no more requests now. Try again in a minute.',
  },
}
