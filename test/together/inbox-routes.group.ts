import '../http/dates.test.ts'
import '../http/inbox.test.ts'
import '../http/inbox-stream.test.ts'
import '../http/with-database.test.ts'
