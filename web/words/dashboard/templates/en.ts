/** English words of the list of templates; the other languages have the same keys. */
export const words = {
  add: 'New template',
  sync: 'Ask the network for its templates now',
  synced: ({ imported, updated, removed }: { imported: number; updated: number; removed: number }) =>
    `Asked: ${imported} new, ${updated} changed, ${removed} gone.`,
  codes: { OFFICIAL_ERROR: 'The network refused:' },
  heading: 'Templates',
  none: 'This number has no template. A template is a message that may begin a conversation.',
  noneSuch: 'No template is like that.',
  anyCategory: 'All categories',
  anyStatus: 'All states',
  name: 'Name',
  category: 'Category',
  language: 'Language',
  changed: 'Changed',
  status: 'State',
  categories: { MARKETING: 'Marketing', UTILITY: 'Utility', OTP: 'One-time code' },
  standings: {
    APPROVED: 'Approved',
    USABLE: 'Ready to send',
    PENDING: 'Under review',
    REJECTED: 'Rejected',
    DISABLED: 'Paused or disabled',
  },
}
