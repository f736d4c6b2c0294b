//! Extensions as objects of the package's classes, in one step: those that are usual, strict DER, and right.
//!
//! Values that a constructor of the package would reject, and all unusual ones, are left to the slow path through plain values, which
//! reports the fault and its place. Tests compare both paths.

use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList, PyString};
use tagwise::codec::{BitStr, Decode, GeneralizedTime, OctetStr, Oid, Options, SeqOf};
use tagwise::pkix::ext::{
    AuthorityInfoAccess, AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies, CrlDistributionPoints,
    CrlReason, DisplayText, DistributionPointName, ExtKeyUsage, GeneralName, GeneralNameWith, GeneralNames,
    GeneralSubtree, IpAddress, IpSubnet, KeyUsage, NameConstraints, PolicyQualifier, PolicyQualifierInfo,
};
use tagwise::pkix::{Extension, Extensions, oids};

use crate::extensions::{Extension as Single, Extensions as Waiting};
use crate::name::Name;
use crate::{budget, errors, input, lenient};

/// The place of extensions: a kind that is not meant for a place has no class there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Certificate,
    Entry,
}

/// More are read in the general way, which finds duplicates among many.
const MOST: usize = 32;

/// The classes, and what makes objects of them without their constructors, whose checks were made.
struct Classes {
    new: Py<PyAny>,
    identifiers: Py<PyDict>,
    identifier: Py<PyAny>,
    address: Py<PyAny>,
    naive: Py<PyAny>,
    reasons: Py<PyDict>,
    subject_key: Py<PyAny>,
    authority_key: Py<PyAny>,
    constraints: Py<PyAny>,
    usage: Py<PyAny>,
    purposes: Py<PyAny>,
    name_constraints: Py<PyAny>,
    notice: Py<PyAny>,
    subject_names: Py<PyAny>,
    issuer_names: Py<PyAny>,
    certificate_issuer: Py<PyAny>,
    accesses: Py<PyAny>,
    access: Py<PyAny>,
    points: Py<PyAny>,
    point: Py<PyAny>,
    policies: Py<PyAny>,
    policy: Py<PyAny>,
    reason: Py<PyAny>,
    invalidity: Py<PyAny>,
    dns: Py<PyAny>,
    mail: Py<PyAny>,
    uri: Py<PyAny>,
    directory: Py<PyAny>,
    ip: Py<PyAny>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

impl Classes {
    fn get(py: Python<'_>) -> PyResult<&'static Self> {
        CLASSES.get_or_try_init(py, || Self::load(py))
    }

    fn load(py: Python<'_>) -> PyResult<Self> {
        let of = |module: &Bound<'_, PyModule>, name: &str| module.getattr(name).map(Bound::unbind);
        let dict = |module: &Bound<'_, PyModule>, name: &str| -> PyResult<Py<PyDict>> {
            Ok(module.getattr(name)?.cast_into::<PyDict>()?.unbind())
        };
        let ext = py.import("tagwise.x509.extensions")?;
        let names = py.import("tagwise.x509.general_name")?;
        let oid = py.import("tagwise.x509.oid")?;
        Ok(Self {
            new: py.import("builtins")?.getattr("object")?.getattr("__new__")?.unbind(),
            identifiers: dict(&oid, "_BY_CONTENT")?,
            identifier: oid.getattr("ObjectIdentifier")?.getattr("_of_content")?.unbind(),
            address: of(&names, "_address")?,
            naive: of(&py.import("tagwise.x509._times")?, "naive")?,
            reasons: dict(&py.import("tagwise.x509._values")?, "CODE_REASONS")?,
            subject_key: of(&ext, "SubjectKeyIdentifier")?,
            authority_key: of(&ext, "AuthorityKeyIdentifier")?,
            constraints: of(&ext, "BasicConstraints")?,
            usage: of(&ext, "KeyUsage")?,
            name_constraints: of(&ext, "NameConstraints")?,
            notice: of(&ext, "UserNotice")?,
            purposes: of(&ext, "ExtendedKeyUsage")?,
            subject_names: of(&ext, "SubjectAlternativeName")?,
            issuer_names: of(&ext, "IssuerAlternativeName")?,
            certificate_issuer: of(&ext, "CertificateIssuer")?,
            accesses: of(&ext, "AuthorityInformationAccess")?,
            access: of(&ext, "AccessDescription")?,
            points: of(&ext, "CRLDistributionPoints")?,
            point: of(&ext, "DistributionPoint")?,
            policies: of(&ext, "CertificatePolicies")?,
            policy: of(&ext, "PolicyInformation")?,
            reason: of(&ext, "CRLReason")?,
            invalidity: of(&ext, "InvalidityDate")?,
            dns: of(&names, "DNSName")?,
            mail: of(&names, "RFC822Name")?,
            uri: of(&names, "UniformResourceIdentifier")?,
            directory: of(&names, "DirectoryName")?,
            ip: of(&names, "IPAddress")?,
        })
    }
}

/// The classes that make objects. Without `MAKE` all is checked as it is for objects, and `None` stands for each of them.
#[derive(Clone, Copy)]
struct Maker<'py, const MAKE: bool> {
    py: Python<'py>,
    classes: &'static Classes,
}

/// A list of Python's, if objects are made.
struct List<'py> {
    made: Option<Bound<'py, PyList>>,
    is_empty: bool,
}

impl<'py> List<'py> {
    fn push(&mut self, item: Bound<'py, PyAny>) -> PyResult<()> {
        self.is_empty = false;
        self.made.as_ref().map_or(Ok(()), |list| list.append(item))
    }

    fn done(self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.made.map_or_else(|| py.None().into_bound(py), Bound::into_any)
    }
}

/// An object, or nothing if it is to be made in the general way.
type Made<'py> = PyResult<Option<Bound<'py, PyAny>>>;

/// The value of an expression that says so, or the general way.
macro_rules! usual {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return Ok(None),
        }
    };
}

impl<'py, const MAKE: bool> Maker<'py, MAKE> {
    /// An object of a class, without fields.
    fn blank(self, class: &Py<PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if MAKE { self.classes.new.bind(self.py).call1((class,)) } else { Ok(self.none()) }
    }

    /// Sets a field of an object.
    fn set(self, made: &Bound<'py, PyAny>, field: &Bound<'py, PyString>, value: Bound<'py, PyAny>) -> PyResult<()> {
        if MAKE { made.setattr(field, value) } else { Ok(()) }
    }

    /// A list for the objects of an iteration, which may fail.
    fn list(self) -> List<'py> {
        List { made: MAKE.then(|| PyList::empty(self.py)), is_empty: true }
    }

    fn text(self, text: &str) -> Bound<'py, PyAny> {
        if MAKE { PyString::new(self.py, text).into_any() } else { self.none() }
    }

    fn bool(self, value: bool) -> Bound<'py, PyAny> {
        if MAKE { PyBool::new(self.py, value).to_owned().into_any() } else { self.none() }
    }

    /// An object of a class that has one field.
    fn with(self, class: &Py<PyAny>, field: &Bound<'py, PyString>, value: Bound<'py, PyAny>) -> Made<'py> {
        let made = self.blank(class)?;
        self.set(&made, field, value)?;
        Ok(Some(made))
    }

    fn none(self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }

    fn bytes(self, octets: &[u8]) -> Bound<'py, PyAny> {
        if MAKE { PyBytes::new(self.py, octets).into_any() } else { self.none() }
    }

    fn identifier(self, oid: Oid<'_>) -> PyResult<Bound<'py, PyAny>> {
        if !MAKE {
            return Ok(self.none());
        }
        let content = self.bytes(oid.as_bytes());
        match self.classes.identifiers.bind(self.py).get_item(&content)? {
            Some(known) => Ok(known),
            None => self.classes.identifier.bind(self.py).call1((content,)),
        }
    }

    fn extension(self, oid: Oid<'_>, critical: bool, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Single::of(self.py, self.identifier(oid)?, self.bool(critical), value.clone())
    }

    fn value(self, place: Place, oid: Oid<'_>, der: &[u8]) -> Made<'py> {
        let (py, classes) = (self.py, self.classes);
        match (place, oid) {
            (Place::Certificate, oids::SUBJECT_KEY_IDENTIFIER) => {
                let key = usual!(OctetStr::from_der(der).ok());
                self.with(&classes.subject_key, intern!(py, "_digest"), self.bytes(key.as_bytes()))
            }
            (Place::Certificate, oids::AUTHORITY_KEY_IDENTIFIER) => self.authority_key(der),
            (Place::Certificate, oids::BASIC_CONSTRAINTS) => self.constraints(der),
            (Place::Certificate, oids::KEY_USAGE) => self.usage(der),
            (Place::Certificate, oids::EXT_KEY_USAGE) => {
                let mut list = self.list();
                for purpose in usual!(ExtKeyUsage::from_der(der).ok()).0.iter() {
                    list.push(self.identifier(usual!(purpose.ok()))?)?;
                }
                self.with(&classes.purposes, intern!(py, "_usages"), list.done(self.py))
            }
            (Place::Certificate, oids::SUBJECT_ALT_NAME) => self.alternative(&classes.subject_names, der),
            (Place::Certificate, oids::ISSUER_ALT_NAME) => self.alternative(&classes.issuer_names, der),
            (Place::Certificate, oids::AUTHORITY_INFO_ACCESS) => self.accesses(der),
            (Place::Certificate, oids::CRL_DISTRIBUTION_POINTS) => self.points(der),
            (Place::Certificate, oids::NAME_CONSTRAINTS) => self.name_constraints(der),
            (Place::Certificate, oids::CERTIFICATE_POLICIES) => self.policies(der),
            (Place::Entry, oids::CERTIFICATE_ISSUER) => self.alternative(&classes.certificate_issuer, der),
            (Place::Entry, oids::REASON_CODE) => {
                let code = usual!(CrlReason::from_der(der).ok()) as u8;
                let reason = usual!(classes.reasons.bind(py).get_item(code)?);
                self.with(&classes.reason, intern!(py, "_reason"), reason)
            }
            (Place::Entry, oids::INVALIDITY_DATE) => {
                let time = usual!(GeneralizedTime::from_der(der).ok());
                if time.fraction_digits() > 0 {
                    return Ok(None);
                }
                let moment = classes.naive.bind(py).call1((time.unix().0,))?;
                self.with(&classes.invalidity, intern!(py, "_invalidity_date"), moment)
            }
            _ => Ok(None),
        }
    }

    fn authority_key(self, der: &[u8]) -> Made<'py> {
        let (py, read) = (self.py, usual!(AuthorityKeyIdentifier::from_der(der).ok()));
        if read.authority_cert_issuer.is_some() || read.authority_cert_serial_number.is_some() {
            return Ok(None);
        }
        let key = read.key_identifier.map_or_else(|| self.none(), |key| self.bytes(key.as_bytes()));
        let made = self.blank(&self.classes.authority_key)?;
        self.set(&made, intern!(py, "_key_identifier"), key)?;
        self.set(&made, intern!(py, "_authority_cert_issuer"), self.none())?;
        self.set(&made, intern!(py, "_authority_cert_serial_number"), self.none())?;
        Ok(Some(made))
    }

    fn constraints(self, der: &[u8]) -> Made<'py> {
        let (py, read) = (self.py, usual!(BasicConstraints::from_der(der).ok()));
        let limit = match read.path_len_constraint {
            Some(_) if !read.ca => return Ok(None),
            Some(limit) => limit.get().into_pyobject(py)?.into_any(),
            None => self.none(),
        };
        let made = self.blank(&self.classes.constraints)?;
        self.set(&made, intern!(py, "_ca"), self.bool(read.ca))?;
        self.set(&made, intern!(py, "_path_length"), limit)?;
        Ok(Some(made))
    }

    fn usage(self, der: &[u8]) -> Made<'py> {
        let (py, _) = (self.py, usual!(KeyUsage::from_der(der).ok()));
        let bits = usual!(BitStr::from_der(der).ok());
        let bit =
            |number: usize| bits.as_bytes().get(number / 8).is_some_and(|octet| octet & 0x80 >> (number % 8) != 0);
        if !bit(4) && (bit(7) || bit(8)) {
            return Ok(None);
        }
        let made = self.blank(&self.classes.usage)?;
        let names = [
            intern!(py, "_digital_signature"),
            intern!(py, "_content_commitment"),
            intern!(py, "_key_encipherment"),
            intern!(py, "_data_encipherment"),
            intern!(py, "_key_agreement"),
            intern!(py, "_key_cert_sign"),
            intern!(py, "_crl_sign"),
            intern!(py, "_encipher_only"),
            intern!(py, "_decipher_only"),
        ];
        for (number, name) in names.into_iter().enumerate() {
            self.set(&made, name, self.bool(bit(number)))?;
        }
        Ok(Some(made))
    }

    fn alternative(self, class: &Py<PyAny>, der: &[u8]) -> Made<'py> {
        let list = usual!(self.names(&usual!(GeneralNames::from_der(der).ok()))?);
        self.with(class, intern!(self.py, "_general_names"), list)
    }

    fn names(self, names: &GeneralNames<'_>) -> Made<'py> {
        let mut list = self.list();
        for name in names.iter() {
            list.push(usual!(self.name(&usual!(name.ok()))?))?;
        }
        Ok(Some(list.done(self.py)))
    }

    fn name(self, name: &GeneralName<'_>) -> Made<'py> {
        self.name_with(name, |own: &IpAddress<'_>| PyBytes::new(self.py, own.as_bytes()))
    }

    /// A name with an address of its own kind.
    fn name_with<A>(self, name: &GeneralNameWith<'_, A>, address: impl Fn(&A) -> Bound<'py, PyBytes>) -> Made<'py> {
        let (py, classes) = (self.py, self.classes);
        let text =
            |class: &Py<PyAny>, text: Option<&str>| self.with(class, intern!(py, "_value"), self.text(usual!(text)));
        match name {
            GeneralNameWith::DnsName(name) => text(&classes.dns, name.as_str()),
            GeneralNameWith::Rfc822Name(name) => text(&classes.mail, name.as_str()),
            GeneralNameWith::UniformResourceIdentifier(name) => text(&classes.uri, name.as_str()),
            GeneralNameWith::DirectoryName(name) => {
                let name = usual!(Name::usual(py, name)?);
                self.with(&classes.directory, intern!(py, "_value"), name)
            }
            GeneralNameWith::IpAddress(own) => {
                let address = classes.address.bind(py).call1((address(own),))?;
                self.with(&classes.ip, intern!(py, "_value"), address)
            }
            _ => Ok(None),
        }
    }

    fn subtrees(self, trees: &Option<SeqOf<'_, GeneralSubtree<'_>>>) -> Made<'py> {
        let Some(trees) = trees else { return Ok(Some(self.none())) };
        let mut list = self.list();
        for tree in trees.iter() {
            let base = usual!(tree.ok()).base;
            // What is refused where names are constrained is refused by the constructor.
            if matches!(&base, GeneralNameWith::DnsName(name) if name.as_str().is_none_or(|name| name.contains('*'))) {
                return Ok(None);
            }
            list.push(usual!(self.name_with(&base, |own: &IpSubnet<'_>| PyBytes::new(self.py, own.as_bytes()))?))?;
        }
        Ok((!list.is_empty).then(|| list.done(self.py)))
    }

    fn name_constraints(self, der: &[u8]) -> Made<'py> {
        let (py, read) = (self.py, usual!(NameConstraints::from_der(der).ok()));
        if read.permitted_subtrees.is_none() && read.excluded_subtrees.is_none() {
            return Ok(None);
        }
        let made = self.blank(&self.classes.name_constraints)?;
        self.set(&made, intern!(py, "_permitted_subtrees"), usual!(self.subtrees(&read.permitted_subtrees)?))?;
        self.set(&made, intern!(py, "_excluded_subtrees"), usual!(self.subtrees(&read.excluded_subtrees)?))?;
        Ok(Some(made))
    }

    fn accesses(self, der: &[u8]) -> Made<'py> {
        let py = self.py;
        let mut list = self.list();
        for access in usual!(AuthorityInfoAccess::from_der(der).ok()).0.iter() {
            let access = usual!(access.ok());
            let made = self.blank(&self.classes.access)?;
            self.set(&made, intern!(py, "_access_method"), self.identifier(access.access_method)?)?;
            self.set(&made, intern!(py, "_access_location"), usual!(self.name(&access.access_location)?))?;
            list.push(made)?;
        }
        self.with(&self.classes.accesses, intern!(py, "_descriptions"), list.done(self.py))
    }

    fn points(self, der: &[u8]) -> Made<'py> {
        let py = self.py;
        let mut list = self.list();
        for point in usual!(CrlDistributionPoints::from_der(der).ok()).0.iter() {
            let point = usual!(point.ok());
            let (Some(DistributionPointName::FullName(names)), None, None) =
                (&point.distribution_point, &point.reasons, &point.crl_issuer)
            else {
                return Ok(None);
            };
            let made = self.blank(&self.classes.point)?;
            self.set(&made, intern!(py, "_full_name"), usual!(self.names(names)?))?;
            self.set(&made, intern!(py, "_relative_name"), self.none())?;
            self.set(&made, intern!(py, "_reasons"), self.none())?;
            self.set(&made, intern!(py, "_crl_issuer"), self.none())?;
            list.push(made)?;
        }
        self.with(&self.classes.points, intern!(py, "_distribution_points"), list.done(self.py))
    }

    fn policies(self, der: &[u8]) -> Made<'py> {
        let py = self.py;
        let mut list = self.list();
        for policy in usual!(CertificatePolicies::from_der(der).ok()).0.iter() {
            let policy = usual!(policy.ok());
            let qualifiers = match policy.policy_qualifiers {
                Some(qualifiers) => {
                    let mut list = self.list();
                    for qualifier in qualifiers.iter() {
                        list.push(usual!(self.qualifier(&usual!(qualifier.ok()))?))?;
                    }
                    list.done(self.py)
                }
                None => self.none(),
            };
            let made = self.blank(&self.classes.policy)?;
            self.set(&made, intern!(py, "_policy_identifier"), self.identifier(policy.policy_identifier)?)?;
            self.set(&made, intern!(py, "_policy_qualifiers"), qualifiers)?;
            list.push(made)?;
        }
        self.with(&self.classes.policies, intern!(py, "_policies"), list.done(self.py))
    }

    /// The URI of a statement, or the text of a notice; notices that refer to others are left to the general way.
    fn qualifier(self, qualifier: &PolicyQualifierInfo<'_>) -> Made<'py> {
        let py = self.py;
        match usual!(qualifier.qualifier.get().ok()) {
            PolicyQualifier::Cps(uri) if qualifier.policy_qualifier_id == oids::QT_CPS => {
                Ok(Some(self.text(usual!(uri.0.as_str()))))
            }
            PolicyQualifier::UserNotice(notice) if qualifier.policy_qualifier_id == oids::QT_UNOTICE => {
                if notice.notice_ref.is_some() {
                    return Ok(None);
                }
                let text = match notice.explicit_text {
                    Some(DisplayText::Utf8(text)) => self.text(text.as_str()),
                    Some(DisplayText::Ia5(text)) => self.text(usual!(text.as_str())),
                    Some(_) => return Ok(None),
                    None => self.none(),
                };
                let made = self.blank(&self.classes.notice)?;
                self.set(&made, intern!(py, "_notice_reference"), self.none())?;
                self.set(&made, intern!(py, "_explicit_text"), text)?;
                Ok(Some(made))
            }
            _ => Ok(None),
        }
    }
}

/// The extensions of a list, which may be absent, or nothing if they are to be read in the general way. `rest` makes the value of an
/// extension that is not usual, from its identifier and bytes.
///
/// Those of a certificate are checked, and made when something looks at them, by the rules that are always tolerated: `options` are no
/// others. An entry's are few, and made at once.
pub(crate) fn extensions<'py>(
    py: Python<'py>,
    list: Option<&Extensions<'_>>,
    place: Place,
    options: &Options<'_>,
    rest: &Bound<'py, PyAny>,
) -> Made<'py> {
    let classes = Classes::get(py)?;
    let (checker, maker) = (Maker::<false> { py, classes }, Maker::<true> { py, classes });
    let content = list.and_then(|list| list.as_seq_of().content()).unwrap_or_default();
    let offset = list.map_or(0, |list| list.as_seq_of().offset());
    let read = usual!(lenient::items::<Extension<'_>>(Some(content), offset, options).ok());
    if read.len() > MOST || budget::is_limited() {
        return Ok(None);
    }
    let waits = place == Place::Certificate;
    let mut made = Vec::with_capacity(read.len());
    for (number, extension) in read.iter().enumerate() {
        if read.iter().take(number).any(|other| other.extn_id == extension.extn_id) {
            return Ok(None);
        }
        let (oid, der) = (extension.extn_id, extension.extn_value.as_bytes());
        let value = if waits { checker.value(place, oid, der) } else { maker.value(place, oid, der) };
        let value = match value {
            Ok(Some(_)) if waits => None,
            Ok(Some(value)) => Some(value),
            Ok(None) => match rest.call1((oid.to_string(), PyBytes::new(py, der))) {
                Ok(value) => Some(value),
                // It is read again, and tells its place.
                Err(error) if error.is_instance_of::<PyException>(py) => return Ok(None),
                Err(error) => return Err(error),
            },
            Err(error) if error.is_instance_of::<PyException>(py) => return Ok(None),
            Err(error) => return Err(error),
        };
        made.push(value.map(Bound::unbind));
    }
    if waits {
        return Waiting::read(py, content, made).map(Some);
    }
    let items = PyList::empty(py);
    for (extension, value) in read.iter().zip(made) {
        let value = usual!(value).into_bound(py);
        items.append(maker.extension(extension.extn_id, extension.critical, &value)?)?;
    }
    Waiting::of(items.into_any()).map(Some)
}

/// The object of an identifier.
pub(crate) fn identifier<'py>(py: Python<'py>, oid: Oid<'_>) -> PyResult<Bound<'py, PyAny>> {
    Maker::<true> { py, classes: Classes::get(py)? }.identifier(oid)
}

/// The items of a certificate's list, which was checked; `values` has those that were made then.
pub(crate) fn items<'py>(py: Python<'py>, content: &[u8], values: &[Option<Py<PyAny>>]) -> PyResult<Bound<'py, PyAny>> {
    let maker = Maker::<true> { py, classes: Classes::get(py)? };
    let read = lenient::items::<Extension<'_>>(Some(content), 0, &input::LISTING);
    let read = read.map_err(|error| errors::decoding(py, &error))?;
    let items = PyList::empty(py);
    for (extension, value) in read.iter().zip(values) {
        let value = match value {
            Some(value) => Some(value.bind(py).clone()),
            None => maker.value(Place::Certificate, extension.extn_id, extension.extn_value.as_bytes())?,
        };
        let value = value.ok_or_else(|| errors::argument("an extension that was checked has no object"))?;
        items.append(maker.extension(extension.extn_id, extension.critical, &value)?)?;
    }
    Ok(items.into_any())
}
