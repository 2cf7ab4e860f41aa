/** English words of the canned replies; the other languages have the same keys. */
export const words = {
  heading: 'Canned replies',
  above: 'The inbox',
  add: 'New canned reply',
  change: 'Change a canned reply',
  none: 'There is none yet. Keep a text that you often write; in the inbox, / and its shortcut bring it.',
  shortcut: 'Shortcut',
  shortcutHint: 'Letters, digits, - and _. It is typed behind a slash.',
  text: 'Text',
  changed: 'Changed',
  edit: 'Change',
  editOf: (shortcut: string) => `Change /${shortcut}`,
  delete: 'Delete',
  deleteOf: (shortcut: string) => `Delete /${shortcut}`,
  ask: (shortcut: string) => `Delete /${shortcut}?`,
  warning: 'Nobody can answer with it any more. What was sent stays.',
  codes: {
    CANNED_REPLY_EXISTS: 'Another canned reply has this shortcut.',
    CANNED_REPLY_LIMIT: 'The account has as many canned replies as there may be. Delete one first.',
    CANNED_REPLY_NOT_FOUND: 'Somebody else deleted it.',
  },
}
