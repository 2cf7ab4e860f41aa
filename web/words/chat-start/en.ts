/** English words of beginning a conversation; the other languages have the same keys. */
export const words = {
  from: 'From number',
  to: 'To phone number',
  toHint: 'With its country code: +44 20 7946 0958',
  next: 'Continue',
  back: 'Another number',
  writeTo: (number: string) => `To ${number}`,
  templateOnly: 'Only a template can begin a conversation from this number.',
  needed: 'Write a phone number.',
  phone: {
    form: 'This is no phone number: write 8 to 15 digits with the country code.',
    country: 'Begin with the country code, which never begins with 0: +44 20 7946 0958, not 020 7946 0958.',
    zero: 'Leave out the zero that is dialled at home alone: +44 20 7946 0958, not +44 (0)20 7946 0958.',
  },
  faults: {
    network: 'The service cannot be reached. Try again.',
    busy: 'Too much at once. Try again in a moment.',
    NUMBER_NOT_FOUND: 'This number was removed.',
    PERMISSION_DENIED: 'You may not begin conversations here.',
    TEMPLATE_NOT_FOUND: 'This template is no longer there.',
    OFFICIAL_OUTSIDE_24H_WINDOW: 'Only a template can be sent to this person now.',
    other: 'The message was refused.',
  },
}
