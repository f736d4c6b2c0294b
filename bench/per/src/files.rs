// The files of the sets, for the program and for its build script.

/// The sets of modules.
const SETS: [&str; 3] = ["rrc", "ngap", "cam"];

/// Returns the files of a set: in asn1tools' sources, or in the folder that `./x per-peers` fills with 3GPP's modules.
fn files(set: &str, sources: &Path, telecom: &Path) -> std::io::Result<Vec<PathBuf>> {
    let names: &[&str] = match set {
        "rrc" => &["3gpp/rrc_8_6_0.asn"],
        "cam" => &["etsi/cam_pdu_descriptions_1_3_2.asn", "etsi/its_container_1_2_1.asn"],
        _ => {
            let entries = telecom.join(set).read_dir()?.map(|entry| entry.map(|entry| entry.path()));
            let mut found = entries.collect::<Result<Vec<_>, _>>()?;
            found.sort();
            return Ok(found);
        }
    };
    Ok(names.iter().map(|name| sources.join("tests/files").join(name)).collect())
}
