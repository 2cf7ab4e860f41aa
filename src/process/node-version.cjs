// Says in one line what to do where the Node at hand cannot run the programs. Plain old JavaScript, because that Node
// reads it.
var major = Number(process.versions.node.split('.')[0])
if (major < 22) {
  process.stderr.write(
    'Node '
      + process.versions.node
      + ' cannot run this: '
      + (major < 20 ? 'install Node 20 or later, then ' : '')
      + 'run `npm ci`, which brings the right one\n',
  )
  process.exit(1)
}
