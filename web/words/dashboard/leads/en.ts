/** English words of the leads; the other languages have the same keys. */
export const words = {
  heading: 'Leads',
  none: 'No lead came to this number in this time. Leads come from forms of Pages that are linked to it.',
  codes: { FEATURE_NOT_SUPPORTED: 'This number takes no leads. Choose another number.' },
  person: 'Person',
  noName: 'No name',
  email: 'E-mail',
  phone: 'Phone',
  form: 'Form',
  ad: 'Ad',
  organic: 'No ad',
  submitted: 'Submitted',
  noAd: 'Not known',
  sent: 'Template',
  id: 'Id',
  redacted: 'Withheld by the privacy of the number',
  sends: { none: 'None', pending: 'About to be sent', sent: 'Sent', skipped: 'Not sent', failed: 'Failed' },
}
