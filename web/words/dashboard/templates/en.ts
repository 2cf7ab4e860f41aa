/** English words of the list of templates; the other languages have the same keys. */
export const words = {
  add: 'New template',
  heading: 'Templates',
  none: 'This number has no template. A template is a message that may begin a conversation.',
  noneSuch: 'No template is in this state.',
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
