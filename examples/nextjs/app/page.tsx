import { connection } from 'next/server'
import { Inbox } from './inbox'

export default async function Page() {
  // The address is read when somebody asks for the page, not when it is built.
  await connection()
  return <Inbox service={process.env['BASE'] ?? 'http://localhost:3000'} />
}
