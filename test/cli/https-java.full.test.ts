import { afterEach, expect, it } from 'vitest'
import { makeFolder, writeIn } from '../support/certificates.js'
import { endCommands } from '../support/command.js'
import { startHttps } from '../support/https-command.js'
import { hasPrograms, runProgram } from '../support/programs.js'

afterEach(endCommands)

const JAVA = `
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.*;

class Client {
  public static void main(String[] args) throws Exception {
    var client = HttpClient.newBuilder();
    if (args.length > 1) {
      var store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      try (var file = Files.newInputStream(Path.of(args[1]))) {
        store.setCertificateEntry("mock", CertificateFactory.getInstance("X.509").generateCertificate(file));
      }
      var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trusted.getTrustManagers(), null);
      client.sslContext(context);
    }
    var request = HttpRequest.newBuilder(URI.create(args[0])).build();
    var response = client.build().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(response.statusCode() + " " + response.version());
  }
}
`

it.skipIf(!hasPrograms(['javac'], 'CI_JAVA'))('Java accepts the printed certificate, and no other', async () => {
  const [url, file] = await startHttps()
  const source = writeIn(makeFolder(), 'Client.java', JAVA)
  const java = (...args: string[]) => runProgram('java', '-XX:TieredStopAtLevel=1', source, ...args)
  expect(await java(url, file)).toBe('200 HTTP_2')
  await expect(java(url)).rejects.toThrow('unable to find valid certification path')
})
