/**
 * An echo on the packages that Vonage documents for a server of its calls, unchanged: binary messages are audio, texts
 * are JSON. A key drops what waits and is told; # hangs up.
 */
import express from 'express'
import expressWs from 'express-ws'

const { PORT = '8765', BOT_TOKEN = '' } = process.env

const app = express()
expressWs(app)

app.ws('/', (call, { headers }) => {
  if (BOT_TOKEN !== '' && headers.authorization !== `Bearer ${BOT_TOKEN}`) return call.close(1008)
  call.on('close', () => console.log('the call is over'))
  call.on('message', (message) => {
    if (typeof message !== 'string') return call.send(message)
    const { event, digit, ...rest } = JSON.parse(message)
    if (event === 'websocket:connected') console.log(`connected ${rest['content-type']}`)
    if (event === 'websocket:cleared') console.log('cleared')
    if (event !== 'websocket:dtmf') return
    console.log(`key ${digit}`)
    // The call ends with the socket, as `onDisconnect` says.
    if (digit === '#') return call.close(1000)
    call.send(JSON.stringify({ action: 'clear' }))
  })
})

const server = app.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`Listens on ws://127.0.0.1:${server.address().port}/`),
)
