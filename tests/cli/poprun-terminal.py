"""Run a program on a terminal of 90 columns and 20 rows, and print what it
showed.  When it has shown a '?' the terminal gets 60 columns; after "= " it
types "5", and is at the end after "> "."""
import fcntl, os, pty, struct, sys, termios
def size(columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 20, columns, 0, 0))
r, w = os.pipe()
pid, fd = pty.fork()
if pid == 0:
    os.read(r, 1)
    os.execvp(sys.argv[1], sys.argv[1:])
size(90)
os.write(w, b"x")
said = b""
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    said += data
    if b"?" in data:
        size(60)
    if said.endswith(b"= "):
        os.write(fd, b"5\n")
    if said.endswith(b"> "):
        os.write(fd, b"\4")
sys.stdout.write(said.decode().replace("\r\n", "\n")
    .replace("\r", "<CR>").replace("\033[K", "<CLEAR>"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
