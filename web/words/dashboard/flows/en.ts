/** English words of the list of Flows; the other languages have the same keys. */
export const words = {
  heading: 'Flows',
  add: 'New Flow',
  sync: 'Ask the network for its Flows now',
  synced: ({ imported, updated, removed }: { imported: number; updated: number; removed: number }) =>
    `Asked: ${imported} new, ${updated} changed, ${removed} gone.`,
  none: 'This number has no Flow. A Flow is a form inside the chat.',
  noneSuch: 'No Flow is in this state.',
  anyStatus: 'All states',
  codes: {
    FLOW_REQUIRES_OFFICIAL_NUMBER: 'Only official numbers have Flows. Choose another number.',
    OFFICIAL_ERROR: 'The network refused:',
  },
  name: 'Name',
  categories: 'Categories',
  changed: 'Changed',
  status: 'State',
  statuses: {
    DRAFT: 'Draft',
    PUBLISHED: 'Published',
    DEPRECATED: 'Deprecated',
    THROTTLED: 'Throttled',
    BLOCKED: 'Blocked',
  },
  category: {
    SIGN_UP: 'Sign up',
    SIGN_IN: 'Sign in',
    APPOINTMENT_BOOKING: 'Appointments',
    LEAD_GENERATION: 'Leads',
    SHOPPING: 'Shopping',
    CONTACT_US: 'Contact',
    CUSTOMER_SUPPORT: 'Support',
    SURVEY: 'Survey',
    OTHER: 'Other',
  },
}
